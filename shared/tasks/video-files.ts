import type { FrameReport, VideoReport } from '../pipeline/video-report';
import type { Storage } from '../ports/storage';
import { outputFolder, readJson, writeJson } from './task-files';

/** Frames in each metadata file (spec: Limits). */
export const FRAMES_PER_FILE = 500;

/** A done video task's result, without its pictures and their metadata. */
export interface StoredVideoResult {
  readonly report: VideoReport;
  /** False with `detect`. */
  readonly anonymised: boolean;
}

const resultKey = (id: string): string => `${outputFolder(id)}video.json`;
const framesKey = (id: string, file: number): string =>
  `${outputFolder(id)}metadata-${String(file).padStart(6, '0')}.json`;
export const anonymisedVideoKey = (id: string): string => `${outputFolder(id)}anonymised.mp4`;

export const readVideoResult = (storage: Storage, id: string): Promise<StoredVideoResult | undefined> =>
  readJson(storage, resultKey(id));
export const writeVideoResult = (storage: Storage, id: string, result: StoredVideoResult): Promise<void> =>
  writeJson(storage, resultKey(id), result);

/** @param file counted from 0; each but the last has `FRAMES_PER_FILE` frames */
export const writeFrames = (
  storage: Storage,
  id: string,
  file: number,
  frames: readonly FrameReport[],
): Promise<void> => writeJson(storage, framesKey(id, file), frames);

/** @returns undefined where a file is missing */
export const readFrames = async (
  storage: Storage,
  id: string,
  first: number,
  last: number,
): Promise<FrameReport[] | undefined> => {
  const frames: FrameReport[] = [];
  const lastFile = Math.floor(last / FRAMES_PER_FILE);
  for (let file = Math.floor(first / FRAMES_PER_FILE); file <= lastFile; file++) {
    const some = await readJson<FrameReport[]>(storage, framesKey(id, file));
    if (!some) return undefined;
    frames.push(...some.filter(({ index }) => index >= first && index <= last));
  }
  return frames;
};
