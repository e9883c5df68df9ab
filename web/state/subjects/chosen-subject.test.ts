import { describe, expect, it } from 'vitest';
import { NO_SUBJECT } from '#shared/domain/subject';
import { resultWith, stateWith, videoResultWith } from '../../testing/items';
import { NO_ITEM_EDITS } from '../edit-history';
import { imageRequest } from '../requested-edits';
import { hasUnappliedEdits, mayShowPerson, wantedVideoEdits } from '../media-item';
import { recordsOf } from '../library';
import { reduceApp } from '../app-reducer';
import { sameVideoEdits } from '../video-edits';
import { isOutdated, nextOutdated } from '../wanted-edits';

const FACE = { objectClass: 'face', box: { x1: 10, y1: 10, x2: 60, y2: 70 } } as const;
const SEEN = { firstS: 0, lastS: 2, bestS: 1, frames: 50 };
const before = stateWith({
  'a.jpg': resultWith('a', [FACE]),
  'b.mp4': videoResultWith('b', [SEEN]),
  'c.jpg': null,
});
const chosen = reduceApp(before, { type: 'subject-chosen', show: 'key' });
const [image, video, waiting] = chosen.items;

describe('a person who stays visible', () => {
  it('is applied to finished images and videos, and to later files', () => {
    expect([image && isOutdated(image), video?.status, video?.revision]).toEqual([true, 'waiting', 'wanted']);
    expect(chosen.settings.show).toBe('key');
    expect(waiting?.settings).toBeNull();
  });

  it('is named by each later edit of an image', () => {
    const edited = reduceApp(chosen, {
      ...{ type: 'edited', id: 'a.jpg' },
      edit: { type: 'changed', id: 0, change: { hidden: true } },
    });
    const { wanted } = nextOutdated(edited.items, null, new Set()) ?? {};
    expect(wanted && imageRequest(wanted)).toMatchObject({
      show: 'key',
      objects: [{ id: 0, hidden: true }],
    });
  });

  it('is named by each later edit of a video', () => {
    const edits = { ...NO_ITEM_EDITS, objects: [{ id: 0, hidden: false }] };
    const edit = { type: 'replaced', edits } as const;
    const edited = reduceApp(chosen, { type: 'edited', id: 'b.mp4', edit });
    expect(edited.items[1] && wantedVideoEdits(edited.items[1])).toEqual({ ...edits, show: 'key' });
  });

  it('stays after other settings are applied', () => {
    const other = reduceApp(chosen, {
      ...{ type: 'settings-changed', settings: { ...chosen.settings, method: 'blacken' } },
    });
    const applied = reduceApp(other, { type: 'applied' });
    expect(applied.items[0]?.settings).toMatchObject({ method: 'blacken', show: 'key' });
  });

  it('is hidden again by edits that name nobody', () => {
    const hidden = reduceApp(chosen, { type: 'subject-chosen', show: NO_SUBJECT });
    const { wanted } = nextOutdated(chosen.items, null, new Set()) ?? {};
    expect(wanted && imageRequest({ ...wanted, settings: hidden.settings })).toMatchObject({ show: 'none' });
    expect(hidden.items.map(mayShowPerson)).toEqual([false, false, false]);
  });

  it('is not a setting of the next visit, which has no photos', () => {
    const { settings, pictures } = JSON.parse(recordsOf(chosen) ?? '') as Pick<typeof chosen, 'settings'> & {
      readonly pictures: typeof chosen.items;
    };
    expect(settings).not.toHaveProperty('show');
    expect(pictures[0]?.settings?.show).toBe('key');
  });

  it('is not named by edits of files for which nobody was chosen', () => {
    const settings = before.settings;
    expect(imageRequest({ settings, edits: NO_ITEM_EDITS })).not.toHaveProperty('show');
    expect(before.items.map(hasUnappliedEdits)).toEqual([false, false, false]);
  });
});

it('a track that a person keeps hidden needs a new rendering only if somebody stays visible', () => {
  const edits = { ...NO_ITEM_EDITS, objects: [{ id: 1, hidden: true }] };
  expect(sameVideoEdits(NO_ITEM_EDITS, edits)).toBe(true);
  expect(sameVideoEdits({ ...NO_ITEM_EDITS, show: 'key' }, { ...edits, show: 'key' })).toBe(false);
});
