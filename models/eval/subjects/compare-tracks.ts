import { existsSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Detection } from '#shared/domain/detection';
import { LIMITS } from '#shared/domain/limits';
import { defaultImageOptions } from '#shared/domain/options';
import type { Embedding } from '#shared/domain/subject';
import type { FrameReport } from '#shared/domain/video-report';
import { isComparable, similarityTo } from '#shared/engine/subjects/compare-faces';
import { chooseTracks, type ComparedFrame } from '#shared/engine/subjects/choose-tracks';
import { COMPARE_EVERY_US, showThreshold } from '#shared/engine/subjects/subject-limits';
import type { EngineMethods } from '#shared/ports/engine';
import type { ByteSource } from '#shared/ports/video';
import { videoCodec } from '../../../server/adapters/video-codec';
import type { Embed } from './known-faces';

const CLIPS = new URL('../../../../shared/data/videos', import.meta.url).pathname;
/** Number of frames at the start of a track that make the subject. */
const SAMPLE_FRAMES = 3;

interface EmbeddedFrame extends Omit<ComparedFrame, 'similarity'> {
  readonly embedding: Embedding;
}
type Tracks = ReadonlyMap<number, readonly EmbeddedFrame[]>;

/** How often tracks of faces were shown, for subjects made of other frames of the same clip. */
export interface TrackCounts {
  readonly right: number;
  readonly rightShown: number;
  readonly wrong: number;
  readonly wrongShown: number;
}

const detect = async (engine: EngineMethods, source: ByteSource): Promise<readonly FrameReport[]> => {
  const frames: FrameReport[] = [];
  await engine.anonymiseVideo(
    {
      options: defaultImageOptions({ method: 'detect', classes: ['face'] }),
      tracking: true,
      keepBitRate: false,
      framesPerReport: 100,
      limits: LIMITS,
    },
    {
      source,
      target: { write: async () => undefined },
      report: async (some) => void frames.push(...some),
    },
    () => undefined,
    new AbortController().signal,
  );
  return frames;
};

const embedTracks = async (engine: EngineMethods, source: ByteSource, embed: Embed): Promise<Tracks> => {
  const reports = new Map((await detect(engine, source)).map((report) => [report.index, report]));
  const tracks = new Map<number, EmbeddedFrame[]>();
  const reader = await videoCodec.open(source, LIMITS);
  for await (const { index, timestampUs, durationUs, raster } of reader.frames(
    new AbortController().signal,
  )) {
    for (const { trackId, ...detection } of reports.get(index)?.detections ?? []) {
      if (trackId === undefined || !isComparable(detection satisfies Detection)) continue;
      const known = tracks.get(trackId) ?? [];
      const last = known.at(-1);
      if (last && timestampUs - last.timestampUs < COMPARE_EVERY_US / 2) continue;
      const embedding = await embed(raster, detection.box);
      if (!embedding) continue;
      known.push({ timestampUs, durationUs, embedding });
      tracks.set(trackId, known);
    }
  }
  reader.close();
  return tracks;
};

const countShown = (tracks: Tracks): TrackCounts => {
  const counts = { right: 0, rightShown: 0, wrong: 0, wrongShown: 0 };
  for (const [own, frames] of tracks) {
    const samples = frames.slice(0, SAMPLE_FRAMES).map(({ embedding }) => embedding);
    for (const [trackId, others] of tracks) {
      const tested = trackId === own ? others.slice(SAMPLE_FRAMES) : others;
      if (samples.length < SAMPLE_FRAMES || tested.length < SAMPLE_FRAMES) continue;
      const compared = tested.map(({ embedding, ...time }) => ({
        ...time,
        similarity: similarityTo(embedding, samples),
      }));
      const isShown = chooseTracks([{ trackId, frames: compared }], showThreshold(SAMPLE_FRAMES)).length > 0;
      counts[trackId === own ? 'right' : 'wrong'] += 1;
      if (isShown) counts[trackId === own ? 'rightShown' : 'wrongShown'] += 1;
    }
  }
  return counts;
};

/** Compares the tracks of each clip. @returns undefined where there are no clips */
export const compareTracks = async (
  engine: EngineMethods,
  embed: Embed,
): Promise<TrackCounts | undefined> => {
  if (!existsSync(CLIPS)) return undefined;
  const total = { right: 0, rightShown: 0, wrong: 0, wrongShown: 0 };
  for (const name of readdirSync(CLIPS).filter((file) => file.startsWith('egoblur'))) {
    const file = await open(join(CLIPS, name));
    const read = async (start: number, end: number): Promise<Uint8Array> => {
      const bytes = new Uint8Array(end - start);
      await file.read(bytes, 0, bytes.length, start);
      return bytes;
    };
    const source = { sizeBytes: (await file.stat()).size, read };
    const counts = countShown(await embedTracks(engine, source, embed));
    for (const key of Object.keys(total) as (keyof TrackCounts)[]) total[key] += counts[key];
    await file.close();
  }
  return total;
};
