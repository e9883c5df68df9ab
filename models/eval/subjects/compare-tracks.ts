import { existsSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Embedding } from '#shared/domain/subject';
import { similarityTo } from '#shared/engine/subjects/compare-faces';
import { chooseTracks } from '#shared/engine/match-tracks';
import { showThreshold } from '#shared/engine/subjects/subject-limits';
import type { EngineMethods } from '#shared/ports/engine';
import { embedTracks, type EmbeddedFrame, type EmbeddedTracks } from './embed-tracks';
import type { Embed } from './known-faces';

const CLIPS = new URL('../../../../shared/data/videos', import.meta.url).pathname;
/** Number of frames at the start of a track that make the subject. */
const SAMPLE_FRAMES = 3;

/** How often tracks of faces were shown. */
export interface TrackCounts {
  readonly right: number;
  readonly rightShown: number;
  readonly wrong: number;
  readonly wrongShown: number;
}

/** Whether a track is shown to a subject by the rules of the product, if it is the only track. */
export const isTrackShown = (frames: readonly EmbeddedFrame[], samples: readonly Embedding[]): boolean => {
  const compared = frames.map(({ embedding, timestampUs, durationUs }) => ({
    timestampUs,
    durationUs,
    similarity: similarityTo(embedding, samples),
  }));
  return chooseTracks([{ trackId: 0, frames: compared }], showThreshold(samples.length)).length > 0;
};

/** The subject of each track are its first frames. */
const countShown = (tracks: EmbeddedTracks): TrackCounts => {
  const counts = { right: 0, rightShown: 0, wrong: 0, wrongShown: 0 };
  for (const [own, frames] of tracks) {
    const samples = frames.slice(0, SAMPLE_FRAMES).map(({ embedding }) => embedding);
    for (const [trackId, others] of tracks) {
      const tested = trackId === own ? others.slice(SAMPLE_FRAMES) : others;
      if (samples.length < SAMPLE_FRAMES || tested.length < SAMPLE_FRAMES) continue;
      counts[trackId === own ? 'right' : 'wrong'] += 1;
      if (isTrackShown(tested, samples)) counts[trackId === own ? 'rightShown' : 'wrongShown'] += 1;
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
