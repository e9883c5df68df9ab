import pLimit from 'p-limit';
import { LIMITS } from '#shared/domain/limits';
import type { Format } from '#shared/catalogue/formats';
import { recogniseFormat } from '#shared/engine/formats/recognise';
import { startWorker } from './engine-bridge';

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

/**
 * In a worker of its own, so that neither the page nor the engine waits; its memory is freed with it. It runs the
 * engine's file, which has the decoders already, and starts no engine.
 */
const decodeInWorker = async (file: Blob): Promise<Blob | undefined> => {
  const { worker, end } = startWorker({ avoidsGpu: true, avoidsOwnModels: true }, () => undefined);
  try {
    return await worker.preview(file);
  } finally {
    end('the preview is made');
  }
};

const createPreviews = (): ((file: File) => Promise<Blob>) => {
  const oneAtATime = pLimit(1);
  const made = new Map<File, Promise<Blob>>();
  const make = async (file: File): Promise<Blob> => {
    try {
      if (!(await mayNeedPreview(file))) return file;
      return (await oneAtATime(() => decodeInWorker(file))) ?? file;
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
