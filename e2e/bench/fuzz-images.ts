import { LIMITS } from '#shared/domain/limits';
import type { Size } from '#shared/domain/raster';
import { writeMetadata } from '#shared/engine/formats/keep-metadata';
import type { ImageHeader } from '#shared/domain/image-header';
import { findMetadata, readImageHeader } from '#shared/engine/formats/read-header';
import { seededRandom } from '#shared/testing/rasters';
import { imageCodec } from '../../server/adapters/image-codec';
import { endWhenOutputCloses } from '../../server/end-when-output-closes';
import { HOSTILE_BMP, HOSTILE_GIF, HOSTILE_JPEG, HOSTILE_PNG, HOSTILE_WEBP } from './fuzz/hostile-chunks';
import { HOSTILE_HEIF } from './fuzz/hostile-heif';
import { HOSTILE_TIFF } from './fuzz/hostile-tiff';
import {
  type FileBudget,
  type MeasuredFile,
  FILE_BUDGET,
  isOverBudget,
  measureFile,
  printWorst,
} from './fuzz/measure-file';
import { broken, plainPng, SEED_IMAGES } from './fuzz/seed-images';
import type { HostileFiles } from './fuzz/structure-values';

endWhenOutputCloses();

/**
 * Sends broken image files, and files whose structures lie at their limits, through recognition, metadata and decoding:
 * `npm run fuzz:images -- [broken files per format] [seed] [format]`.
 *
 * Each file has to be decoded or refused by a sentence, soon and without memory that its pixels do not need. Prints the
 * worst files, and the seed of each file for which that is not so, and fails then.
 */
const FILES = Number(process.argv[2] ?? 2_000);
const FIRST_SEED = Number(process.argv[3] ?? 1);
const ONLY_FORMAT = process.argv[4];
/** They are a hundred times as large as the broken ones. */
const HOSTILE_FILES = Math.ceil(FILES / 5);
/** Small, so that what a file claims shows in time and memory only where a decoder does not keep to it. */
const MAX_DECODED_PIXELS = 2 ** 22;
const MAX_DECODING_MS = 5_000;
const PIXEL_BYTES = 4;

const HOSTILE: Readonly<Record<keyof typeof SEED_IMAGES, HostileFiles>> = {
  webp: HOSTILE_WEBP,
  avif: {}, // The same boxes as HEIC.
  heic: HOSTILE_HEIF,
  tiff: HOSTILE_TIFF,
  bmp: HOSTILE_BMP,
  gif: HOSTILE_GIF,
  jpeg: HOSTILE_JPEG,
  png: HOSTILE_PNG,
};

const PLAIN_PNG = await plainPng();
const headers: MeasuredFile[] = [];
const decodings: MeasuredFile[] = [];
let failures = 0;

const judge = (file: MeasuredFile, budget: FileBudget): void => {
  if (file.outcome !== 'failed' && !isOverBudget(file, budget)) return;
  failures += 1;
  const { name, reason, milliseconds, peakBytes } = file;
  console.error(
    `${name}: ${milliseconds.toFixed(0)} ms, ${(peakBytes / 1024 ** 2).toFixed(0)} MB. ${reason}`,
  );
};

/** What limits and memory count by. */
const pixelsOf = ({ width, height }: Size): number => width * height;

const decode = async (bytes: Uint8Array, source: ImageHeader): Promise<void> => {
  const { width, height } = await imageCodec.decode(bytes, source);
  if (width * height > pixelsOf(source)) throw new Error(`decoded ${width} × ${height} pixels`);
};

const send = async (name: string, bytes: Uint8Array): Promise<MeasuredFile['outcome']> => {
  let source: ImageHeader | undefined;
  const header = await measureFile(name, bytes, async () => {
    source = undefined;
    await findMetadata(bytes);
    source = await readImageHeader(bytes, LIMITS);
    writeMetadata({ bytes, header: source, isKept: true }, { bytes: PLAIN_PNG, format: 'png' });
  });
  headers.push(header);
  judge(header, FILE_BUDGET);
  const accepted = source;
  if (!accepted || pixelsOf(accepted) > MAX_DECODED_PIXELS) return header.outcome;
  const budget = {
    maxMilliseconds: MAX_DECODING_MS,
    maxPeakBytes: FILE_BUDGET.maxPeakBytes + pixelsOf(accepted) * PIXEL_BYTES,
  };
  const decoding = await measureFile(name, bytes, () => decode(bytes, accepted), budget);
  decodings.push(decoding);
  judge(decoding, budget);
  return decoding.outcome;
};

const sendAll = async (
  title: string,
  count: number,
  build: (seed: number) => { readonly name: string; readonly bytes: Uint8Array },
): Promise<void> => {
  const outcomes = { accepted: 0, refused: 0, failed: 0 };
  for (let seed = FIRST_SEED; seed < FIRST_SEED + count; seed += 1) {
    const { name, bytes } = build(seed);
    outcomes[await send(`${title}: ${name}, seed ${seed}`, bytes)] += 1;
  }
  const { accepted, refused, failed } = outcomes;
  console.log(
    `${title}: ${count} files from seed ${FIRST_SEED}: ${accepted} accepted, ${refused} refused, ${failed} failed`,
  );
};

for (const [format, seeds] of Object.entries(SEED_IMAGES)) {
  if (ONLY_FORMAT !== undefined && format !== ONLY_FORMAT) continue;
  const files = await seeds();
  await sendAll(`${format}, broken`, FILES, (seed) => {
    const next = seededRandom(seed);
    return { name: 'bytes', bytes: broken(files[Math.floor(next() * files.length)]!, next) };
  });
  const builders = Object.entries(HOSTILE[format as keyof typeof SEED_IMAGES]);
  await sendAll(`${format}, hostile`, builders.length > 0 ? HOSTILE_FILES : 0, (seed) => {
    const [name, build] = builders[seed % builders.length]!;
    return { name, bytes: build(seededRandom(seed)) };
  });
}
printWorst(headers, 'Until the header is accepted or refused');
printWorst(decodings, 'Decoding');
process.exitCode = failures > 0 ? 1 : 0;
