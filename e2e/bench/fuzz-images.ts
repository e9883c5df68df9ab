import { performance } from 'node:perf_hooks';
import sharp, { type Sharp } from 'sharp';
import { LIMITS } from '#shared/domain/limits';
import { UnreadableFile } from '#shared/domain/unreadable-file';
import { keepMetadata } from '#shared/engine/formats/keep-metadata';
import { sniffImage } from '#shared/engine/formats/sniff';
import { findSourceMetadata } from '#shared/engine/formats/source-metadata';
import { bmpFile } from '#shared/testing/bmp-files';
import { imageFile } from '#shared/testing/image-files';
import { seededRandom } from '#shared/testing/rasters';
import { imageCodec } from '../../server/adapters/image-codec';
import { endWhenOutputCloses } from '../../server/end-when-output-closes';

endWhenOutputCloses();

/**
 * Sends broken image files through recognition, metadata and decoding: `npm run fuzz:images -- [files per format] [seed]`.
 *
 * Each file has to be decoded or refused by a sentence, soon and without memory that stays. Prints the seed of each
 * file for which that is not so, and fails then.
 */
const FILES = Number(process.argv[2] ?? 2_000);
const FIRST_SEED = Number(process.argv[3] ?? 1);
/** Of a file of a few kilobytes, with limits as below. */
const MAX_SECONDS = 5;
/** Small, so that what a file claims shows in time and memory only where a decoder does not keep to it. */
const FUZZ_LIMITS = { ...LIMITS, maxPixels: 2 ** 22 };
const MAX_GROWTH_BYTES = 512 * 1024 ** 2;

const ramps = sharp(Buffer.from(Array.from({ length: 48 * 32 * 3 }, (_, index) => (index * 37) % 256)), {
  raw: { width: 48, height: 32, channels: 3 },
});
/** Not a `Buffer`, whose slices are no copies. */
const written = async (image: Sharp): Promise<Uint8Array> => Uint8Array.from(await image.toBuffer());

const SEEDS = {
  webp: async () => [
    await written(ramps.clone().webp()),
    await written(ramps.clone().ensureAlpha(0.5).webp({ lossless: true })),
    await written(
      ramps
        .clone()
        .withExif({ IFD0: { Make: 'x' } })
        .webp(),
    ),
  ],
  avif: async () => ['turned.avif', 'p3-by-numbers.avif', '3-frames.avif'].map(imageFile),
  heic: async () =>
    ['p3.heic', 'p3-by-numbers.heic', 'transparent.heic', '10-bits.heic', 'second-of-two.heic'].map(
      imageFile,
    ),
  tiff: async () =>
    [
      ...[
        'adobe.tif',
        'turned.tif',
        'jpeg.tif',
        'inks.tif',
        'palette.tif',
        'two-levels.tif',
        'planes-16.tif',
      ],
      ...['tiles.tif', 'transparent.tif', '3-pages.tif'],
    ].map(imageFile),
  bmp: async () => [
    bmpFile({ width: 48, height: 2, bitCount: 24, pixels: new Array<number>(288).fill(9) }),
    bmpFile({
      width: 48,
      height: 2,
      bitCount: 8,
      coding: 1,
      palette: [[1, 2, 3]],
      pixels: [48, 0, 0, 0, 48, 0, 0, 1],
    }),
    bmpFile({
      width: 8,
      height: 2,
      bitCount: 4,
      coding: 2,
      palette: [[1, 2, 3]],
      pixels: [0, 8, 0, 0, 0, 0, 0, 1],
    }),
    bmpFile({
      width: 4,
      height: 2,
      bitCount: 32,
      coding: 3,
      masks: [255, 65_280, 0xff0000, 0],
      pixels: new Array<number>(32).fill(7),
    }),
  ],
  gif: async () => [await written(ramps.clone().gif())],
  jpeg: async () => ['inks.jpg', 'plain-inks.jpg'].map(imageFile),
  png: async () => [await written(ramps.clone().png())],
} as const satisfies Record<string, () => Promise<Uint8Array[]>>;

const EXTREMES = [0, 1, 0x7f, 0x80, 0xff];

/** A file with some bytes changed, half of them in its first part, where the headers are; some are cut off. */
const broken = (file: Uint8Array, next: () => number): Uint8Array => {
  const bytes = file.slice();
  const upTo = (end: number): number => Math.floor(next() * end);
  for (let changes = 1 + upTo(8); changes > 0; changes -= 1) {
    const at = upTo(next() < 0.5 ? Math.min(600, bytes.length) : bytes.length);
    const length = next() < 0.2 ? 4 : 1;
    const value = next() < 0.5 ? EXTREMES[upTo(EXTREMES.length)]! : upTo(256);
    bytes.fill(value, at, Math.min(at + length, bytes.length));
  }
  return next() < 0.2 ? bytes.slice(0, upTo(bytes.length)) : bytes;
};

const run = async (bytes: Uint8Array): Promise<'decoded' | 'refused'> => {
  await findSourceMetadata(bytes);
  try {
    const source = await sniffImage(bytes, FUZZ_LIMITS);
    const { width, height } = await imageCodec.decode(bytes, source);
    if (width * height > FUZZ_LIMITS.maxPixels) throw new Error(`decoded ${width} × ${height} pixels`);
    keepMetadata({ bytes, format: source.format }, { bytes: PLAIN_PNG, format: 'png' });
    return 'decoded';
  } catch (error) {
    if (error instanceof UnreadableFile) return 'refused';
    throw error;
  }
};

const PLAIN_PNG = await written(ramps.clone().png());
let failures = 0;
for (const [format, seeds] of Object.entries(SEEDS)) {
  const files = await seeds();
  const counts = { decoded: 0, refused: 0, failed: 0 };
  const before = process.memoryUsage().rss;
  let slowestS = 0;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + FILES; seed += 1) {
    const next = seededRandom(seed);
    const bytes = broken(files[Math.floor(next() * files.length)]!, next);
    const started = performance.now();
    try {
      counts[await run(bytes)] += 1;
    } catch (error) {
      counts.failed += 1;
      console.error(`${format}, seed ${seed}:`, error);
    }
    const seconds = (performance.now() - started) / 1000;
    slowestS = Math.max(slowestS, seconds);
    if (seconds > MAX_SECONDS) {
      counts.failed += 1;
      console.error(`${format}, seed ${seed}: took ${seconds.toFixed(1)} s`);
    }
  }
  const growth = process.memoryUsage().rss - before;
  if (growth > MAX_GROWTH_BYTES) counts.failed += 1;
  failures += counts.failed;
  console.log(
    `${format}: ${FILES} files from seed ${FIRST_SEED}: ${counts.decoded} decoded, ${counts.refused} refused, ${counts.failed} failed; slowest ${slowestS.toFixed(2)} s, memory ${Math.round(growth / 1024 ** 2)} MB more`,
  );
}
process.exitCode = failures > 0 ? 1 : 0;
