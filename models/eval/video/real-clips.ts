import { existsSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '#shared/domain/limits';
import { boxArea, clipBox, outerPixels, type Box } from '#shared/domain/boxes';
import type { Detection } from '#shared/domain/detection';
import type { Raster } from '#shared/domain/raster';
import type { SearchScope } from '#shared/engine/search/plan-search';
import { createFollower } from '#shared/engine/track/follow';
import { followFrames, type FollowedVideoFrame, type SearchFrame } from '#shared/engine/follow-frames';
import { DEFAULT_THRESHOLDS } from '#shared/domain/options';
import type { ScheduleOptions } from '#shared/engine/search/search-schedule';
import type { VideoFrame } from '#shared/ports/video';
import { videoCodec } from '../../../server/adapters/video-backend';
import { LEAK_SHARE } from './leaks';

/** Minimum score of a confident detection of the stricter search. */
const CONFIDENT_SCORE = 0.75;

export interface Searches {
  /** The search that the product runs on the frames of a video. */
  readonly inVideo: (raster: Raster, scope: SearchScope) => Promise<readonly Detection[]>;
  readonly plan: ScheduleOptions;
  /** A search with tiles, without information from other frames. */
  readonly thorough: (raster: Raster) => Promise<readonly Detection[]>;
}

/** A confident detection of the stricter search that stays visible in a frame. */
interface Miss {
  readonly frame: number;
  readonly visible: number;
  readonly detection: Detection;
}

interface ClipOutcome {
  readonly frames: number;
  readonly confident: number;
  readonly misses: readonly Miss[];
}

/** Share of a box's pixels that no other box covers. */
const visibleShare = (box: Box, covers: readonly Box[]): number => {
  const { x1, y1, x2, y2 } = outerPixels(box);
  const isCovered = (x: number, y: number): boolean =>
    covers.some((cover) => x >= cover.x1 - 1 && x < cover.x2 && y >= cover.y1 - 1 && y < cover.y2);
  let visible = 0;
  for (let y = y1; y < y2; y++) {
    for (let x = x1; x < x2; x++) visible += isCovered(x, y) ? 0 : 1;
  }
  return visible / Math.max(1, (x2 - x1) * (y2 - y1));
};

const evalClip = async (
  path: string,
  { inVideo, thorough, plan }: Searches,
  frames: number,
): Promise<ClipOutcome> => {
  const file = await open(path);
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    const bytes = new Uint8Array(end - start);
    await file.read(bytes, 0, bytes.length, start);
    return bytes;
  };
  const reader = await videoCodec.open({ sizeBytes: (await file.stat()).size, read }, LIMITS);
  const follower = createFollower(
    { noObjectTracking: false, options: { thresholds: DEFAULT_THRESHOLDS } },
    reader,
  );
  const strict = new Map<number, readonly Detection[]>();
  const outcome = { frames: 0, confident: 0, misses: [] as Miss[] };
  const compare = (settled: readonly FollowedVideoFrame[]): void => {
    for (const { frame, detections } of settled) {
      const { index } = frame;
      const covers = detections.map(({ box }) => box);
      outcome.frames++;
      for (const detection of strict.get(index) ?? []) {
        const visible = visibleShare(clipBox(detection.box, reader.width, reader.height), covers);
        outcome.confident++;
        if (visible > LEAK_SHARE) outcome.misses.push({ frame: index, visible, detection });
      }
      strict.delete(index);
    }
  };
  async function* first(): AsyncGenerator<VideoFrame> {
    for await (const frame of reader.frames(new AbortController().signal)) {
      if (frame.index >= frames) return;
      const found = await thorough(frame.raster);
      strict.set(
        frame.index,
        found.filter(({ score }) => score >= CONFIDENT_SCORE),
      );
      yield frame;
    }
  }
  const search: SearchFrame = ({ raster }, scope) => inVideo(raster, scope);
  for await (const settled of followFrames(first(), plan, follower, search)) compare(settled);
  reader.close();
  await file.close();
  return outcome;
};

const describe = ({ frame, visible, detection }: Miss): string => {
  const { objectClass, score, box } = detection;
  const place = [box.x1, box.y1, box.x2, box.y2].map(Math.round).join(', ');
  return `  frame ${frame}: ${objectClass} ${score.toFixed(2)} at ${place}, ${Math.round(100 * visible)} % visible`;
};

const WORST = 8;

/**
 * Finds leaks in clips without labels: confident detections of a stricter search of single frames must be hidden.
 *
 * @param folder of mp4 files
 * @param frames number of frames of each clip, from the first one on
 */
export const evalRealClips = async (folder: string, searches: Searches, frames: number): Promise<void> => {
  if (!existsSync(folder)) return console.log(`There are no clips in ${folder}.`);
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.mp4'))) {
    const { misses, confident, ...outcome } = await evalClip(join(folder, name), searches, frames);
    const leaking = new Set(misses.map(({ frame }) => frame)).size;
    console.log(
      `${name}: ${leaking} of ${outcome.frames} frames show an object; confident detections: ${confident}`,
    );
    const worst = misses.toSorted(
      (a, b) => b.visible * boxArea(b.detection.box) - a.visible * boxArea(a.detection.box),
    );
    for (const miss of worst.slice(0, WORST)) console.log(describe(miss));
  }
};
