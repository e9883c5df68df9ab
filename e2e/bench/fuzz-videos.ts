import { LIMITS } from '#shared/domain/limits';
import { readAsfHeader, readAviHeader } from '#shared/engine/formats/stated-length';
import { recogniseVideo, HEAD_BYTES } from '#shared/engine/formats/recognise';
import { createRaster, seededRandom } from '#shared/testing/rasters';
import { videoCodec } from '../../server/adapters/video-backend';
import { endWhenOutputCloses } from '../../server/end-when-output-closes';
import { encodeClip, sourceOf, type Clip } from '../../server/testing/clips';
import { changeElements } from '../../server/testing/matroska-surgery';
import { attack, type Attack } from './fuzz/attack';
import { matroskaAttacks } from './fuzz/matroska-attacks';
import { FILE_BUDGET, isOverBudget, measureFile, printWorst, type MeasuredFile } from './fuzz/measure-file';
import { mp4Attacks } from './fuzz/mp4-attacks';
import { otherAttacks } from './fuzz/other-attacks';

endWhenOutputCloses();

/**
 * Sends videos with impossible structures through recognition, metadata and opening:
 * `npm run fuzz:videos -- [random files per format] [seed]`.
 *
 * Counts, sizes and offsets at their limits, cycles, overlaps and deep nesting, for each format; then files with random
 * numbers in their structures. Each file has to be opened or refused by a sentence within the budget of
 * `measure-file.ts`. Prints those that are not, and fails then.
 */
const FILES = Number(process.argv[2] ?? 300);
const FIRST_SEED = Number(process.argv[3] ?? 1);

const clip = (container: NonNullable<Clip['container']>): Promise<Uint8Array> =>
  encodeClip({
    frames: Array.from({ length: 12 }, (_, index) => [
      index * 0.04,
      createRaster(64, 48, (x, y) => [(x * index) & 255, y * 4, 80]),
    ]),
    audio: [Array.from({ length: 24 }, (_, index) => Uint8Array.of(index, 1, 2))],
    container,
  });

/** Where numbers of 32 bits reach their limits. */
const NUMBERS = [0, 1, 2, 255, 65_535, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff];

/** A file with extreme numbers at some places, half of them in its index. */
const withNumbers = (file: Uint8Array, next: () => number): Uint8Array => {
  const bytes = Buffer.from(file);
  const upTo = (end: number): number => Math.floor(next() * end);
  const index = Math.max(0, bytes.lastIndexOf('moov', undefined, 'latin1'));
  for (let changes = 1 + upTo(4); changes > 0; changes -= 1) {
    const from = next() < 0.5 ? index : 0;
    const at = from + upTo(Math.min(2_000, bytes.length - 4 - from));
    if (next() < 0.5) bytes.writeUInt32BE(NUMBERS[upTo(NUMBERS.length)]!, at);
    else bytes.writeUInt8(NUMBERS[upTo(NUMBERS.length)]! & 255, at);
  }
  return bytes;
};

const randomAttacks = (name: string, file: Uint8Array): Attack[] =>
  Array.from({ length: FILES }, (_, index) => {
    const seed = FIRST_SEED + index;
    return attack(`${name}: random numbers, seed ${seed}`, withNumbers(file, seededRandom(seed)));
  });

/**
 * The time of every frame is read before the first is decoded: a file whose frames have a few bytes each takes longer
 * than the budget, in proportion to the frames that it has bytes for.
 */
const MILLISECONDS_PER_FRAME = 0.01;
/** Frames of the file that was opened last. */
let frames = 0;

/** What a host does with a file until its first frame would be decoded. */
const run = async (bytes: Uint8Array): Promise<void> => {
  const source = sourceOf(bytes);
  const head = bytes.subarray(0, HEAD_BYTES);
  const format = recogniseVideo(head, { takesVideo: true, convertsVideo: true });
  if (format === 'avi') readAviHeader(head, bytes.length);
  if (format === 'asf') readAsfHeader(head, bytes.length);
  if (!format || format === 'avi' || format === 'asf') return;
  const reader = await videoCodec.open(source, LIMITS);
  frames = reader.frameCount;
  reader.close();
};

const [mp4, fragmented, matroska] = [await clip('mp4'), await clip('fragmented'), await clip('mkv')];
/** All elements with a size of eight bytes, as the attacks have them. */
const sized = changeElements(matroska, () => undefined);
const attacks = [
  ...mp4Attacks(mp4, fragmented),
  ...matroskaAttacks(sized),
  ...otherAttacks(),
  ...randomAttacks('mp4', mp4),
  ...randomAttacks('mp4 of fragments', fragmented),
  ...randomAttacks('mkv', matroska),
];
for (const file of [mp4, matroska]) await run(file); // compiles the code
const measured: MeasuredFile[] = [];
const wrong: MeasuredFile[] = [];
for (const { name, bytes } of attacks) {
  frames = 0;
  const file = await measureFile(name, bytes, run);
  measured.push(file);
  const milliseconds = file.milliseconds - frames * MILLISECONDS_PER_FRAME;
  if (file.outcome === 'failed' || isOverBudget({ ...file, milliseconds })) wrong.push(file);
}
for (const file of wrong) console.error(`${file.name}: ${file.outcome} ${file.reason}`);
printWorst(measured, 'Opening videos');
const numberOf = (wanted: MeasuredFile['outcome']): number =>
  measured.filter(({ outcome }) => outcome === wanted).length;
console.log(
  `${measured.length} files from seed ${FIRST_SEED}: ${numberOf('accepted')} opened, ${numberOf('refused')} refused, ${numberOf('failed')} failed; ${wrong.length} over ${FILE_BUDGET.maxMilliseconds} ms or ${FILE_BUDGET.maxPeakBytes / 1024 ** 2} MB or failed`,
);
process.exit(wrong.length > 0 ? 1 : 0); // decoders keep the process alive
