import pLimit from 'p-limit';
import type { FramePlan, FrameReport, RedactionPlan } from '../../domain/plan';
import type { ImageEncoding, ImageFormat, MaskKind } from '../../ports/engine';
import { openSource } from '../base/digest';
import {
  type StoredResult,
  anonymisedKey,
  maskKey,
  readPlan,
  readStoredResult,
  sourceKey,
} from './task-files';
import { DEFAULT_ENCODINGS, type ServiceSettings, type TaskPorts } from '../base/settings';
import {
  anonymisedVideoKey,
  readFramePlans,
  readFrames,
  readVideoResult,
  type StoredVideoResult,
} from './video-files';
import type { StoredFile } from '../../ports/storage';

const FULL_SCALE_PERCENT = 100;

/** Stored ones are read while they are sent; rendered ones are in memory. */
export type ResultFile = StoredFile | Uint8Array;

/**
 * Reads the results of done tasks. Each answer is undefined where there is no such file (any more): its task was deleted,
 * or edits have replaced the result that was passed in.
 */
export interface ResultReader {
  result(id: string): Promise<StoredResult | undefined>;
  anonymised(
    id: string,
    result: StoredResult,
    encoding: ImageEncoding,
    signal: AbortSignal,
  ): Promise<ResultFile | undefined>;
  /** What is hidden in the result of an image. */
  plan(id: string, result: StoredResult): Promise<RedactionPlan | undefined>;
  /** The plans of the first run of a video. @param part number of `FRAMES_PER_FILE` frames, from 0 */
  framePlans(id: string, part: number): Promise<readonly FramePlan[] | undefined>;
  videoResult(id: string): Promise<StoredVideoResult | undefined>;
  anonymisedVideo(id: string, result: StoredVideoResult): Promise<StoredFile | undefined>;
  /**
   * The reports of the frames from `first` to `last`, both counted in.
   *
   * @param result whose edits they show; by default the present one
   */
  frames(
    id: string,
    first: number,
    last: number,
    result?: StoredVideoResult,
  ): Promise<readonly FrameReport[] | undefined>;
  mask(
    id: string,
    result: StoredResult,
    mask: { readonly kind: MaskKind; /** Above 0 to 100. */ readonly scalePercent: number },
    signal: AbortSignal,
  ): Promise<ResultFile | undefined>;
}

/** Whether a result is stored in this encoding. @param format of the stored result */
export const isStoredEncoding = (encoding: ImageEncoding, format: ImageFormat): boolean => {
  if (encoding.format !== format) return false;
  return encoding.format === 'png'
    ? encoding.compressLevel === DEFAULT_ENCODINGS.png.compressLevel
    : encoding.quality === DEFAULT_ENCODINGS[encoding.format].quality;
};

/**
 * Serves what is stored as it is, and renders every other encoding or scale from the stored source and plan.
 *
 * Rendering again instead of decoding the stored result, so that a PNG of a JPEG upload has no second generation of
 * artefacts. Renderings wait for each other like tasks do: downloads must not multiply memory.
 */
export const createResultReader = (
  { engine, storage }: Pick<TaskPorts, 'engine' | 'storage'>,
  { concurrency, keepMetadata: service = false }: ServiceSettings,
): ResultReader => {
  const renderings = pLimit(concurrency);
  return {
    result: (id) => readStoredResult(storage, id),
    plan: (id, { filePrefix }) => readPlan(storage, id, filePrefix),
    framePlans: (id, part) => readFramePlans(storage, id, part),
    videoResult: (id) => readVideoResult(storage, id),
    anonymisedVideo: (id, { filePrefix }) => storage.open(anonymisedVideoKey(id, filePrefix)),
    frames: (id, first, last, result) => readFrames(storage, id, [first, last], result),
    anonymised: async (id, result, encoding, signal) => {
      if (!result.anonymised) return undefined;
      const { header, format, filePrefix, keepMetadata = service } = result;
      if (isStoredEncoding(encoding, format)) return storage.open(anonymisedKey(id, format, filePrefix));
      return renderings(async () => {
        const plan = await readPlan(storage, id, filePrefix);
        signal.throwIfAborted(); // it may have waited
        const source = plan && (await openSource(storage, sourceKey(id, header.format)));
        const job = source && { source, header, plan, encoding, keepMetadata };
        return job && engine.renderImage(job, signal);
      });
    },
    mask: async (id, { filePrefix }, { kind, scalePercent }, signal) => {
      const isFullScale = scalePercent === FULL_SCALE_PERCENT;
      const written = isFullScale && (await storage.open(maskKey(id, kind, filePrefix)));
      if (written) return written;
      return renderings(async () => {
        const plan = await readPlan(storage, id, filePrefix);
        return plan && engine.renderMask(plan, kind, scalePercent, signal);
      });
    },
  };
};
