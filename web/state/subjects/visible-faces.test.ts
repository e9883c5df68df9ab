import { describe, expect, it } from 'vitest';
import type { ImageMetadata, VideoMetadata } from '#shared/api/contract/schemas-results';
import { toBbox } from '#shared/domain/boxes';
import { ignoredArea } from '#shared/domain/edits/edits';
import { resultWith, SETTINGS, stateWith, videoResultWith } from '../../testing/items';
import { NO_ITEM_EDITS, type ItemEdits } from '../edit-history';
import type { MediaItem, MediaResult } from '../media-item';
import { reduceApp } from '../app-reducer';
import { hidingEvents, visibleFaces } from './visible-faces';

const BOX = { x1: 10, y1: 10, x2: 60, y2: 70 };
const AWAY = { x1: 200, y1: 10, x2: 250, y2: 70 };
const CORNERS = [BOX.x1, BOX.y1, BOX.x2, BOX.y2] as const;
const AREA = { key: -1, type_label: 'face', shape: 'box', bbox: CORNERS } as const;

type Detection = ImageMetadata['detections'][number];
const detection = (changed: Partial<Detection> = {}): Detection => ({
  ...{ id: 0, parent_image: 'a', offset: [0, 0], bbox: [...CORNERS], type: 103, type_label: 'face' },
  ...{ score: 0.9, is_anonymised: true, color: null, ...changed },
});

const listed = (id: string, result: MediaResult, found: ImageMetadata | VideoMetadata) =>
  visibleFaces({ id, result }, { detections: async () => found });

describe('a face of an image', () => {
  const facesWith = (edits: Partial<ItemEdits>, detections: readonly Detection[] = []) => {
    const result = resultWith('a', [{ objectClass: 'face', box: BOX }]);
    const appliedEdits = { settings: SETTINGS, edits: { ...NO_ITEM_EDITS, ...edits } };
    const withEdits = { ...result, editable: { ...result.editable!, appliedEdits } };
    return listed('a.jpg', withEdits, {
      ...{ id: 'a', filename: 'a.jpg', folder: null, size: [400, 300], duration: 0.1 },
      detections: [...detections],
    });
  };

  it('that is hidden is not listed, also under an area that a user drew instead', async () => {
    expect(await facesWith({}, [detection()])).toEqual([]);
    expect(await facesWith({ objects: [{ id: 0, deleted: true }], areas: [AREA] })).toEqual([]);
  });

  it('that is similar to the samples is listed with its similarity', async () => {
    const similar = detection({ is_anonymised: false, shown_confidence: 0.7 });
    expect(await facesWith({}, [similar])).toEqual([
      { fileId: 'a.jpg', confidence: 0.7, isByHand: false, box: BOX },
    ]);
  });

  it.each<[string, Partial<ItemEdits>]>([
    ['disabled', { objects: [{ id: 0, hidden: false }] }],
    ['deleted', { objects: [{ id: 0, deleted: true }] }],
    ['moved away', { objects: [{ id: 0, bbox: toBbox(AWAY) }] }],
    ['left unchanged by an area', { ignores: [{ key: -1, ...ignoredArea(BOX) }] }],
    ['drawn and then disabled', { areas: [{ ...AREA, hidden: false }], objects: [{ id: 0, deleted: true }] }],
  ])(
    'that a user has %s is listed as made visible by hand, and can be hidden again',
    async (_name, edits) => {
      const [face, ...others] = await facesWith(edits);
      expect(face).toMatchObject({ fileId: 'a.jpg', isByHand: true, box: BOX });
      expect(face).not.toHaveProperty('confidence');
      const state = stateWith({ 'a.jpg': resultWith('a', [{ objectClass: 'face', box: BOX }]) });
      const present = { ...NO_ITEM_EDITS, ...edits };
      const edited = state.items.map((one) => ({ ...one, edits: { ...one.edits, present } }));
      const [item] = [face!, ...others]
        .flatMap((one) => hidingEvents(edited[0]!, one) ?? [])
        .reduce(reduceApp, { ...state, items: edited }).items;
      expect(await facesWith(item!.edits.present)).toEqual([]);
    },
  );
});

describe('a track of a video', () => {
  const SEEN = { firstS: 1, lastS: 3, bestS: 2, frames: 3 };
  const frames = (...detections: readonly Partial<Detection>[]): VideoMetadata =>
    detections.map((one, id) => ({
      ...{ id, size: [400, 300], duration: 0.1 },
      detections: [{ ...detection(one), parent_image: id, track_id: 0 }],
    }));
  const result = videoResultWith('b', [SEEN]);
  const visible = { is_anonymised: false };

  it('is listed once, at the time at which it is largest', async () => {
    const larger = [10, 10, 90, 90] as [number, number, number, number];
    const faces = await listed('b.mp4', result, frames(visible, { ...visible, bbox: larger }, visible));
    expect(faces).toMatchObject([{ trackId: 0, atS: 2, box: { x2: 90 }, isByHand: true }]);
    expect(await listed('b.mp4', result, frames({}, {}, {}))).toEqual([]);
  });

  it('is marked if a user made it visible, also if it is similar to the samples', async () => {
    const similar = frames({ ...visible, shown_confidence: 0.7 });
    expect(await listed('b.mp4', result, similar)).toMatchObject([{ isByHand: false, confidence: 0.7 }]);
    const appliedEdits = { ...NO_ITEM_EDITS, objects: [{ id: 0, hidden: false }] };
    const byHand = { ...result, video: { ...result.video!, appliedEdits } };
    expect(await listed('b.mp4', byHand, similar)).toMatchObject([{ isByHand: true, confidence: 0.7 }]);
  });

  it('is hidden as a whole, also if it was visible for a time range', () => {
    const state = reduceApp(stateWith({ 'b.mp4': result }), { type: 'subject-chosen', show: 'key' });
    const present = { ...NO_ITEM_EDITS, objects: [{ id: 0, hidden: false, start: 0, end: 0.000_001 }] };
    const [video] = state.items as readonly [MediaItem];
    const item: MediaItem = { ...video, edits: { ...video.edits, present } };
    const face = { fileId: 'b.mp4', isByHand: true, box: BOX, trackId: 0 };
    expect(hidingEvents(item, face)?.[0]).toMatchObject({
      after: { edits: { present: { objects: [{ id: 0, hidden: true }] } } },
    });
  });
});
