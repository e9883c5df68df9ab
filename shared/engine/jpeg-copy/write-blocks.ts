import { joinBytes } from '../formats/bytes';
import { bigEndian, text } from '../formats/insert-parts';
import { baselineScan } from './baseline-scan';
import { encodeScan, type ScanWriter } from './entropy-writer';
import type { HuffmanCode } from './huffman-code';
import { BLOCK_LENGTH, type JpegBlocks, type JpegComponent } from './jpeg-blocks';
import { progressiveScan, progressiveScans, tablesOf, type ProgressiveScan } from './progressive-scans';

const segment = (marker: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const payload = joinBytes(parts);
  return joinBytes([Uint8Array.of(0xff, marker), bigEndian(2, 2 + payload.length), payload]);
};

const [SOI, EOI] = [Uint8Array.of(0xff, 0xd8), Uint8Array.of(0xff, 0xd9)];
const [BASELINE, PROGRESSIVE] = [0xc0, 0xc2];
/** Version 1.2, pixels that are square, no thumbnail. @see ITU-T T.871, 10.1 */
const JFIF = segment(0xe0, text('JFIF\0'), Uint8Array.of(1, 2, 0, 0, 1, 0, 1, 0, 0));

/** Class (0: DC, 1: AC) and number of a Huffman table. */
type TableName = readonly [kind: 0 | 1, number: number];

const huffmanSegment = (names: readonly TableName[], codes: readonly HuffmanCode[]): Uint8Array =>
  segment(
    0xc4,
    ...names.flatMap(([kind, number], index) => {
      const { counts, symbols } = codes[index] as HuffmanCode;
      return [Uint8Array.of((kind << 4) | number), counts, symbols];
    }),
  );

/** A scan with the tables that it needs. */
const scanSegments = (
  { components, from, to, highBit, lowBit }: ProgressiveScan,
  write: ScanWriter,
  names: readonly TableName[],
): Uint8Array[] => {
  const { codes, data } = encodeScan(write, names.length);
  const selectors = components.flatMap(({ id }, index) => [
    id,
    components.length > 1 && index > 0 ? 0x11 : 0,
  ]);
  const header = Uint8Array.of(components.length, ...selectors, from, to, (highBit << 4) | lowBit);
  return [...(names.length > 0 ? [huffmanSegment(names, codes)] : []), segment(0xda, header), data];
};

/** In the order of `baselineScan`; without chroma, two of them are empty. */
const BASELINE_TABLES: readonly TableName[] = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
];

const baselineSegments = (blocks: JpegBlocks): Uint8Array[] => {
  const { components } = blocks;
  const scan = { components, from: 0, to: BLOCK_LENGTH - 1, highBit: 0, lowBit: 0 };
  return scanSegments(scan, baselineScan(blocks), BASELINE_TABLES);
};

const progressiveSegments = (blocks: JpegBlocks): Uint8Array[] =>
  progressiveScans(blocks).flatMap((scan) => {
    const kind = scan.from === 0 ? 0 : 1;
    const names = Array.from({ length: tablesOf(scan) }, (_, number): TableName => [kind, number]);
    return scanSegments(scan, progressiveScan(blocks, scan), names);
  });

const frameSegment = ({ width, height, components, isProgressive }: JpegBlocks): Uint8Array => {
  const sampling = components.flatMap(({ id, across, down, table }) => [id, (across << 4) | down, table]);
  const size = bigEndian(2, height, width);
  const marker = isProgressive ? PROGRESSIVE : BASELINE;
  return segment(marker, Uint8Array.of(8), size, Uint8Array.of(components.length, ...sampling));
};

const quantisationSegment = (
  tables: JpegBlocks['tables'],
  components: readonly JpegComponent[],
): Uint8Array => {
  const used = [...new Set(components.map(({ table }) => table))];
  return segment(
    0xdb,
    ...used.flatMap((number) => [Uint8Array.of(number), tables.get(number) as Uint8Array]),
  );
};

/**
 * Writes a JPEG file of the kind that its source is, without any metadata but JFIF's.
 *
 * @throws NotCopyable where a coefficient is larger than such files can hold
 */
export const writeBlocks = (blocks: JpegBlocks): Uint8Array =>
  joinBytes([
    SOI,
    JFIF,
    quantisationSegment(blocks.tables, blocks.components),
    frameSegment(blocks),
    ...(blocks.isProgressive ? progressiveSegments(blocks) : baselineSegments(blocks)),
    EOI,
  ]);
