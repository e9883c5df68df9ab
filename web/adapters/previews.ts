import pLimit from 'p-limit';
import type { BagContents } from '#shared/domain/bag';
import { LIMITS } from '#shared/domain/limits';
import type { Format } from '#shared/catalogue/formats';
import { recogniseFormat } from '#shared/engine/formats/recognise';
import { startWorker } from './engine';
import type { EngineWorker } from '../workers/engine-worker';
import type { SoundPeaks } from '../workers/sound-peaks';

/**
 * Works in a worker of its own, so that neither the page nor the engine waits; its memory is freed with it. It runs the
 * engine's file, which has the decoders already, and starts no engine.
 */
const inOwnWorker = async <T>(work: (worker: EngineWorker) => Promise<T>): Promise<T> => {
  const { worker, end } = startWorker({ avoidsGpu: true, avoidsOwnModels: true }, () => undefined);
  try {
    return await work(worker);
  } finally {
    end('its only work is done');
  }
};

/** What is in a bag. @param onRead receives the share of the bag that was read. @throws UnreadableFile */
export const listBag = (
  file: File,
  onRead: (share: number) => void,
  signal: AbortSignal,
): Promise<BagContents> => inOwnWorker((worker) => worker.listBag(file, onRead, signal));

/** By file: peaks are read once while the file is in the list. */
const known = new WeakMap<File, Promise<SoundPeaks>>();

/** Reads the sound of a video. @param onPart receives what is read so far, unless it was begun before */
export const soundPeaks = (file: File, onPart: (sound: SoundPeaks) => void): Promise<SoundPeaks> => {
  const peaks = known.get(file) ?? inOwnWorker((worker) => worker.soundPeaks(file, onPart));
  known.set(file, peaks);
  return peaks;
};

/** So much of a file's beginning tells its format. */
const HEAD_BYTES = 32;
/** Previews that are held at once: the stage's, and that of the next thumbnail. */
const MAX_PREVIEWS = 3;

/** Of a HEIF file the beginning does not always tell how it is coded. */
const UNSHOWN: ReadonlySet<Format | undefined> = new Set(['heic', 'avif', 'tiff', 'webp']);

const mayNeedPreview = async (file: Blob): Promise<boolean> => {
  if (file.size > LIMITS.maxImageBytes) return false;
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  return UNSHOWN.has(recogniseFormat(head));
};

const createPreviews = (): ((file: File) => Promise<Blob>) => {
  const oneAtATime = pLimit(1);
  const made = new Map<File, Promise<Blob>>();
  const make = async (file: File): Promise<Blob> => {
    try {
      if (!(await mayNeedPreview(file))) return file;
      return (await oneAtATime(() => inOwnWorker((worker) => worker.preview(file)))) ?? file;
    } catch {
      return file; // Its own status says what is wrong with it.
    }
  };
  return (file) => {
    const preview = made.get(file) ?? make(file);
    // The one that was used last is dropped last.
    made.delete(file);
    made.set(file, preview);
    for (const oldest of made.keys()) if (made.size > MAX_PREVIEWS) made.delete(oldest);
    return preview;
  };
};

/**
 * Makes images that browsers cannot show displayable: HEIC and TIFF, and WebP that EXIF turns. Gives the file itself
 * where it can be shown, or cannot be decoded.
 */
export const displayable = createPreviews();
