import type { ImageResult, MaskKind } from '#shared/ports/engine';
import { DEFAULT_ENCODINGS } from '#shared/tasks/files/encodings';
import { savedMasks } from '#shared/tasks/base/settings';
import { diskSource } from '../adapters/disk-file';
import type { BatchParts } from './batch-parts';
import { countObjects } from './count-objects';
import { FileProblem, readProblem } from './file-problem';
import { readHeader, type MediaFile } from './media-file';
import { metadataText } from './metadata-text';
import type { FileReport } from './report';
import type { UnfinishedResults } from './results';

/** An error of reading the file, in its own words. */
const asFileProblem = (error: unknown): unknown =>
  error instanceof Error && 'syscall' in error
    ? new FileProblem(readProblem(error), { cause: error })
    : error;

const filesOf = ({ name, outputs }: MediaFile, result: ImageResult): Map<string, Uint8Array> => {
  const files = new Map<string, Uint8Array>();
  for (const [kind, mask] of Object.entries(result.masks)) files.set(outputs.masks[kind as MaskKind]!, mask);
  if (outputs.metadata !== null) {
    const masks = Object.keys(result.masks) as MaskKind[];
    const text = metadataText(name, { report: result.report, masks });
    files.set(outputs.metadata, new TextEncoder().encode(text));
  }
  if (outputs.anonymised !== null) files.set(outputs.anonymised, result.anonymised!);
  return files;
};

/** Anonymises an image. @throws UnreadableFile, FileProblem, DiskFull */
export const anonymiseImage = async (
  file: MediaFile,
  results: UnfinishedResults,
  { config, engine }: BatchParts,
  signal: AbortSignal,
): Promise<FileReport> => {
  const { options, limits, keepMetadata } = config;
  const masks = savedMasks(config);
  const source = diskSource(file.path, file.sizeBytes);
  const job = { source, options, encodings: DEFAULT_ENCODINGS, masks, keepMetadata };
  const result = await readHeader(file, engine, limits)
    .then((header) => engine.anonymiseImage({ ...job, header }, () => undefined, signal))
    .catch((error: unknown) => {
      throw asFileProblem(error);
    });
  for (const [name, content] of filesOf(file, result)) {
    await (await results.create(name)).write(0, content);
  }
  const { detections, durationS } = result.report;
  return { objects: countObjects(detections), seconds: durationS };
};
