import { expect, it } from 'vitest';
import type { ApiClient } from '#shared/api/client';
import type { FrameMetadata } from '#shared/api/contract/schemas-results';
import type { VideoEdits } from '#shared/domain/video-edits';
import { contractVideoEdits, followedBoxes, frameTimes } from './contract-video-edits';
import { videoEditsOf } from './read-contract-edits';

const FRAMES: readonly FrameMetadata[] = Array.from({ length: 5 }, (_, id) => ({
  id,
  detections: [],
  size: [64, 48],
  duration: 0.1,
  timestamp: id * 0.04,
}));
const client = { videoMetadata: async () => FRAMES } as unknown as ApiClient<File>;
const edits = (changed: Partial<VideoEdits>) =>
  contractVideoEdits(client, 'id', FRAMES.length, { visibleTracks: [], drawn: [], ...changed });

it('a track is shown in the frames that lie completely in its time range, and in no other', async () => {
  const shown = async (fromUs: number, untilUs: number) =>
    (await edits({ ranges: [{ trackId: 3, fromUs, untilUs }] })).objects;
  expect(await shown(0, 80_000)).toEqual([{ id: 3, hidden: false, from: 0, to: 1 }]);
  expect(await shown(10_000, 130_000)).toEqual([{ id: 3, hidden: false, from: 1, to: 2 }]);
  expect(await shown(120_000, 200_000)).toEqual([{ id: 3, hidden: false, from: 3, to: 4 }]);
  expect(await shown(120_000, 190_000)).toEqual([{ id: 3, hidden: false, from: 3, to: 3 }]);
  expect(await shown(10_000, 50_000)).toEqual([]);
});

it('a shown track is hidden in all frames that its time range touches', async () => {
  const ranges = [{ trackId: 3, fromUs: 50_000, untilUs: 90_000 }];
  expect((await edits({ visibleTracks: [3], ranges })).objects).toEqual([
    { id: 3, hidden: true, from: 1, to: 2 },
  ]);
});

it('a drawn box belongs to the frame that was on the screen', async () => {
  const box = { x1: 1, y1: 2, x2: 11, y2: 12 };
  const { areas } = await edits({ drawn: [{ id: 7, timeUs: 95_000, box }] });
  expect(areas).toMatchObject([{ bbox: [1, 2, 11, 12], frame: 2 }]);
});

it('boxes that were followed keep the ids that the page gave them', () => {
  const drawn = [4, 9].map((id) => ({ id, timeUs: 0, box: { x1: 0, y1: 0, x2: 9, y2: 9 } }));
  const followed = [{ area: 1, from: 0, seen_until: 0.5, until: 1 }];
  expect(followedBoxes({ followed }, { visibleTracks: [], drawn })).toEqual([
    { id: 9, fromUs: 0, seenUntilUs: 500_000, untilUs: 1_000_000 },
  ]);
});

it('removed audio is named, and parts without sound are named in seconds', async () => {
  const muted = [{ fromUs: 1_500_000, untilUs: 2_000_000 }];
  expect(await edits({ visibleTracks: [], drawn: [], muted, mutesAudio: true })).toMatchObject({
    audio: 'mute',
    mute: [[1.5, 2]],
  });
  expect(await edits({ drawn: [] })).not.toHaveProperty('audio');
});

it('a track that a person has checked and keeps hidden is named, unless another edit names it', async () => {
  const { objects = [] } = await edits({ visibleTracks: [4], decidedTracks: [3, 4] });
  expect(objects).toEqual([
    { id: 4, hidden: false },
    { id: 3, hidden: true },
  ]);
  const read = videoEditsOf({ objects }, await frameTimes(client, 'id', FRAMES.length));
  expect(read).toEqual({ visibleTracks: [4], decidedTracks: [3], drawn: [] });
});
