import { expect, it } from 'vitest';
import type { FrameMetadata } from '#shared/api/contract/schemas-results';
import type { ObjectEdit } from '#shared/domain/edits/edits';
import { NO_ITEM_EDITS } from '../edit-history';
import { createSpanGatherer } from '../video-result';

type Detection = FrameMetadata['detections'][number];

const detection = (track_id: number, is_anonymised: boolean): Detection => ({
  ...{ id: 0, parent_image: 0, offset: [0, 0], bbox: [0, 0, 9, 9], type: 103, type_label: 'face' },
  ...{ score: 0.9, is_anonymised, color: null, track_id },
});

/** @param shown for each frame, of 0.1 s, whether track 1 is visible; track 2 always is */
const spansOf = (shown: readonly boolean[], edits: readonly ObjectEdit[] = []) => {
  const gatherer = createSpanGatherer({ ...NO_ITEM_EDITS, objects: [{ id: 2, hidden: false }, ...edits] });
  gatherer.add(
    shown.map((isShown, id) => ({
      ...{ id, timestamp: id / 10, size: [64, 48], duration: 0.1 },
      detections: [detection(1, !isShown), detection(2, false)],
    })),
  );
  return gatherer.spans();
};

it('a track of the person is visible in spans that end with the next hidden frame, or with the video', () => {
  const spans = spansOf([false, true, true, false, true]);
  expect(spans).toEqual([
    { trackId: 1, fromS: 0.1, untilS: expect.closeTo(0.3) as number },
    { trackId: 1, fromS: 0.4, untilS: expect.closeTo(0.5) as number },
  ]);
});

it('tracks that a user made visible, always or for a time range, are not visible because of the person', () => {
  expect(spansOf([true, true], [{ id: 1, hidden: false }])).toEqual([]);
  expect(spansOf([true, true], [{ id: 1, hidden: false, start: 0, end: 0.2 }])).toEqual([]);
});
