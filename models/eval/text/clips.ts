import { mapCorners } from '#shared/domain/detection';
import { RGBA, type Raster } from '#shared/domain/raster';
import { DEFAULT_THRESHOLDS, defaultImageOptions } from '#shared/domain/options';
import { US_PER_SECOND } from '#shared/domain/plan';
import type { VideoFrame } from '#shared/ports/video';
import { planSearches } from '#shared/engine/search/search-schedule';
import { createFollower } from '#shared/engine/track/follow';
import { trackingThresholds } from '#shared/engine/track/track-limits';
import { followFrames } from '#shared/engine/follow-frames';
import type { ReadText } from '../attack/read-plates';
import { openDetection } from '../video/open-detection';
import type { Random } from '../video/random';
import { drawText, type LabelledLine, type LabelledText } from './draw-text';
import { addScore, emptyScore, scoreImage, type TextScore } from './measure-text';
import { fill, FONTS, makeText } from './text-content';

/** Size of the frames of a clip, in px. */
const FRAME = { width: 960, height: 540 } as const;
const FRAMES = 50;
const FRAMES_PER_SECOND = 25;
/** Way of the camera over the image for each frame, in px. */
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

/** What a camera that moves over an image shows in a frame. */
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

/** A frame of a clip with its text. */
type FrameAt = (index: number) => LabelledText | Promise<LabelledText>;

/** Scores the frames of a clip, which are searched and tracked as those of a video. */
const scoreClip = async (frameAt: FrameAt, read: ReadText): Promise<TextScore> => {
  const detection = await openDetection();
  const search = detection({ ...OPTIONS, thresholds: trackingThresholds(OPTIONS.thresholds) });
  async function* frames(): AsyncGenerator<VideoFrame> {
    for (let index = 0; index < FRAMES; index++) {
      const durationUs = US_PER_SECOND / FRAMES_PER_SECOND;
      const { raster } = await frameAt(index);
      yield { index, timestampUs: index * durationUs, durationUs, raster };
    }
  }
  const follower = createFollower({ noObjectTracking: false, options: OPTIONS }, FRAME);
  const total = emptyScore();
  const settled = followFrames(frames(), planSearches(true, 1), follower, ({ raster }, scope) =>
    search(raster, scope),
  );
  for await (const some of settled) {
    for (const { frame, detections } of some) {
      const score = emptyScore();
      const isRead = frame.index % READ_EVERY === 0;
      await scoreImage(score, await frameAt(frame.index), detections, isRead ? read : undefined);
      addScore(total, score);
    }
  }
  return total;
};

/** Scores a clip in which the camera moves over an image. */
export const scorePan = (image: LabelledText, read: ReadText): Promise<TextScore> =>
  scoreClip((index) => frameOf(image, index), read);

const FLASH_SIZES_PX = [10, 12, 14, 18, 24, 32, 44] as const;
/** Frames from the beginning of one line to that of the next: no divisor of the interval of complete searches. */
const FLASH_EVERY = 5;

/** Scores a clip of a screen on which lines appear one after another, each for this many frames. */
export const scoreFlashes = (random: Random, visibleFrames: number, read: ReadText): Promise<TextScore> => {
  const lines = Array.from({ length: Math.floor(FRAMES / FLASH_EVERY) }, (_, i) => {
    const sizePx = FLASH_SIZES_PX[i % FLASH_SIZES_PX.length] as number;
    const text = makeText(random, 14);
    return { text, font: random.pick(FONTS), sizePx, colour: '#e6e6e6', x: 480, y: 50 + 48 * i, degrees: 0 };
  });
  const background = fill(FRAME.width, FRAME.height, '#20242c');
  return scoreClip((index) => {
    const shown = lines.filter((_, i) => {
      const age = index - (FLASH_EVERY * i + 1);
      return age >= 0 && age < visibleFrames;
    });
    return drawText({ ...FRAME, background, lines: shown });
  }, read);
};
