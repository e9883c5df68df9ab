import { mapCorners } from '#shared/domain/corners';
import { DEFAULT_THRESHOLDS, defaultImageOptions } from '#shared/domain/options';
import { RGBA, type Raster } from '#shared/domain/raster';
import { US_PER_SECOND } from '#shared/domain/time-units';
import type { VideoFrame } from '#shared/ports/video';
import { planSearches } from '#shared/engine/search/search-schedule';
import { createFollower } from '#shared/engine/track/follow';
import { trackingThresholds } from '#shared/engine/track/track-limits';
import { followFrames } from '#shared/engine/video/follow-frames';
import type { ReadText } from '../attack/read-plates';
import { openDetection } from '../video/open-detection';
import type { LabelledLine, LabelledText } from './draw-text';
import { addScore, emptyScore, scorePicture, type TextScore } from './measure-text';

/** Size of the frames of a clip, in px. */
const FRAME = { width: 960, height: 540 } as const;
const FRAMES = 50;
const FRAMES_PER_SECOND = 25;
/** Way of the camera over the picture for each frame, in px. */
const STEP = { x: 5, y: 3 } as const;
/** Only some frames are read: reading takes the longest. */
const READ_EVERY = 7;
/** A line counts in a frame if this share of its ink is in it: less is not legible. */
const MIN_VISIBLE = 0.5;

const OPTIONS = defaultImageOptions({ classes: ['text'], thresholds: DEFAULT_THRESHOLDS });

const crop = ({ width, data }: Raster, x: number, y: number): Raster => {
  const out = new Uint8Array(FRAME.width * FRAME.height * RGBA);
  for (let row = 0; row < FRAME.height; row++) {
    const from = RGBA * ((y + row) * width + x);
    out.set(data.subarray(from, from + RGBA * FRAME.width), RGBA * row * FRAME.width);
  }
  return { ...FRAME, data: out };
};

const lineIn = (line: LabelledLine, across: number, x: number, y: number): LabelledLine => {
  const ink = line.ink.flatMap((at) => {
    const [left, top] = [(at % across) - x, Math.floor(at / across) - y];
    const isInside = left >= 0 && top >= 0 && left < FRAME.width && top < FRAME.height;
    return isInside ? [top * FRAME.width + left] : [];
  });
  return { ...line, ink, corners: mapCorners(line.corners, ([cx, cy]) => [cx - x, cy - y]) };
};

/** What a camera that moves over a picture shows in a frame. */
const frameOf = ({ raster, lines }: LabelledText, index: number): LabelledText => {
  const x = Math.min(raster.width - FRAME.width, 100 + STEP.x * index);
  const y = Math.min(raster.height - FRAME.height, 80 + STEP.y * index);
  const shown = lines.map((line) => ({ line, part: lineIn(line, raster.width, x, y) }));
  return {
    raster: crop(raster, x, y),
    lines: shown
      .filter(({ line, part }) => part.ink.length >= MIN_VISIBLE * line.ink.length)
      .map(({ part }) => part),
  };
};

/** Scores the frames of a clip, which are searched and tracked as those of a video. */
export const scorePan = async (picture: LabelledText, read: ReadText): Promise<TextScore> => {
  const detection = await openDetection();
  const search = detection({ ...OPTIONS, thresholds: trackingThresholds(OPTIONS.thresholds) });
  async function* frames(): AsyncGenerator<VideoFrame> {
    for (let index = 0; index < FRAMES; index++) {
      const durationUs = US_PER_SECOND / FRAMES_PER_SECOND;
      yield { index, timestampUs: index * durationUs, durationUs, raster: frameOf(picture, index).raster };
    }
  }
  const follower = createFollower({ tracking: true, options: OPTIONS }, FRAME);
  const total = emptyScore();
  const settled = followFrames(frames(), planSearches(true, 1), follower, ({ raster }, scope) =>
    search(raster, scope),
  );
  for await (const some of settled) {
    for (const { frame, detections } of some) {
      const score = emptyScore();
      const isRead = frame.index % READ_EVERY === 0;
      await scorePicture(score, frameOf(picture, frame.index), detections, isRead ? read : undefined);
      addScore(total, score);
    }
  }
  return total;
};
