import { hasCharacters, viewOf } from '../formats/bytes';
import { isFrame, readSegment, skipScan, type JpegSegment } from '../formats/images/jpeg';
import { decodeScan, type Scan, type ScannedComponent } from './decode-scan';
import { decodingTable, type DecodingTable } from './entropy-reader';
import { mcuOrder, mcusOf } from './visit-blocks';
import {
  BLOCK_LENGTH,
  BLOCK_SIDE,
  largestAcross,
  largestDown,
  NotCopyable,
  type JpegBlocks,
  type JpegComponent,
} from './jpeg-blocks';

const SOI_BYTES = 2;
const [DHT, EOI, SOS, DQT, DRI, ADOBE, PROGRESSIVE] = [0xc4, 0xd9, 0xda, 0xdb, 0xdd, 0xee, 0xc2];
const LONGEST_CODE = 16;
/** A table of the source, by its number, 0..3. */
const NUMBER = 3;
/** Memory of all coefficients, in numbers of 2 bytes: enough for 85 megapixels with chroma of half the size. */
const MAX_COEFFICIENTS = 128 * 1024 * 1024;

/** What the segments read so far say. */
interface Found {
  frame?: JpegBlocks;
  restartInterval: number;
  readonly tables: Map<number, Uint8Array>;
  readonly dc: Map<number, DecodingTable>;
  readonly ac: Map<number, DecodingTable>;
}

/** A part of a segment. @throws NotCopyable where the segment ends before */
const take = (payload: Uint8Array, from: number, length: number): Uint8Array => {
  if (from + length > payload.length) throw new NotCopyable('a segment is too short');
  return payload.subarray(from, from + length);
};

const byteAt = (payload: Uint8Array, at: number): number => take(payload, at, 1)[0] as number;

/** @see ITU-T T.81, B.2.4.1 */
const readQuantisation = (payload: Uint8Array, { tables, frame }: Found): void => {
  // A table that replaces another between scans would need two tables for one component.
  if (frame) throw new NotCopyable('a quantisation table behind the frame header');
  for (let at = 0; at < payload.length; at += 1 + BLOCK_LENGTH) {
    const head = byteAt(payload, at);
    if (head >> 4 !== 0) throw new NotCopyable('quantisation steps of 16 bits');
    const steps = take(payload, at + 1, BLOCK_LENGTH).slice();
    if (steps.includes(0)) throw new NotCopyable('a quantisation step of zero');
    tables.set(head & NUMBER, steps);
  }
};

/** @see ITU-T T.81, B.2.4.2 */
const readHuffman = (payload: Uint8Array, { dc, ac }: Found): void => {
  for (let at = 0; at < payload.length;) {
    const head = byteAt(payload, at);
    const counts = take(payload, at + 1, LONGEST_CODE);
    const length = counts.reduce((sum, count) => sum + count, 0);
    const symbols = take(payload, at + 1 + LONGEST_CODE, length);
    (head >> 4 === 0 ? dc : ac).set(head & NUMBER, decodingTable(counts, symbols));
    at += 1 + LONGEST_CODE + length;
  }
};

type Sampling = Pick<JpegComponent, 'id' | 'across' | 'down' | 'table'>;

const readSampling = (payload: Uint8Array): Sampling[] =>
  Array.from({ length: byteAt(payload, 5) }, (_, i) => {
    const [id = 0, factors = 0, table = 0] = take(payload, 6 + 3 * i, 3);
    return { id, across: factors >> 4, down: factors & 15, table };
  });

/** Grey or YCbCr, with sides of chroma that are a whole part of those of luma. */
const requireCopyable = (components: readonly Sampling[]): void => {
  const [across, down] = [largestAcross(components), largestDown(components)];
  const isWhole = components.every(
    (one) => one.across > 0 && one.down > 0 && across % one.across === 0 && down % one.down === 0,
  );
  const ids = components.map(({ id }) => id);
  const isRgb = String.fromCharCode(...ids) === 'RGB';
  const areDistinct = new Set(ids).size === ids.length;
  const blocks = components.reduce((sum, one) => sum + one.across * one.down, 0);
  if (
    ![1, 3].includes(components.length) ||
    !isWhole ||
    isRgb ||
    !areDistinct ||
    blocks > 10 ||
    across > 4 ||
    down > 4
  ) {
    throw new NotCopyable('unusual components');
  }
};

/** @see ITU-T T.81, B.2.2 */
const readFrame = (
  { marker, payload }: JpegSegment,
  tables: Found['tables'],
): NonNullable<Found['frame']> => {
  const view = viewOf(take(payload, 0, 6));
  const [height, width] = [view.getUint16(1), view.getUint16(3)];
  const sampling = readSampling(payload);
  requireCopyable(sampling);
  const single = sampling.length === 1;
  const [across, down] = [largestAcross(sampling), largestDown(sampling)];
  const mcus = {
    columns: Math.ceil(width / (BLOCK_SIDE * across)),
    rows: Math.ceil(height / (BLOCK_SIDE * down)),
  };
  const shapes = sampling.map((one) => ({
    // Factors of a single component have no meaning.
    ...(single ? { ...one, across: 1, down: 1 } : one),
    columns: Math.ceil(Math.ceil((width * one.across) / across) / BLOCK_SIDE),
    rows: Math.ceil(Math.ceil((height * one.down) / down) / BLOCK_SIDE),
    stride: mcus.columns * one.across,
    length: mcus.columns * one.across * mcus.rows * one.down * BLOCK_LENGTH,
  }));
  if (width * height === 0 || shapes.reduce((sum, { length }) => sum + length, 0) > MAX_COEFFICIENTS) {
    throw new NotCopyable('a size that needs too much memory');
  }
  const components = shapes.map(({ length, ...one }) => ({ ...one, coefficients: new Int16Array(length) }));
  return { width, height, components, tables, isProgressive: marker === PROGRESSIVE };
};

const readScan = (payload: Uint8Array, { frame, dc, ac, restartInterval }: Found): Scan => {
  if (!frame) throw new NotCopyable('a scan before the frame header');
  const count = byteAt(payload, 0);
  const components = Array.from({ length: count }, (_, i): ScannedComponent => {
    const [id = 0, numbers = 0] = take(payload, 1 + 2 * i, 2);
    const component = frame.components.find((one) => one.id === id);
    if (!component) throw new NotCopyable('a scan of an unknown component');
    return { ...component, dc: dc.get(numbers >> 4), ac: ac.get(numbers & 15) };
  });
  const [from = 0, to = 0, bits = 0] = take(payload, 1 + 2 * count, 3);
  const { isProgressive } = frame;
  const isSound = !isProgressive || (from === 0 ? to === 0 : from <= to && to < BLOCK_LENGTH && count === 1);
  if (!isSound || count === 0) throw new NotCopyable('an impossible scan');
  const order = mcuOrder(components, mcusOf(frame, frame.components));
  return { order, isProgressive, from, to, highBit: bits >> 4, lowBit: bits & 15, restartInterval };
};

const readSegmentInto = (found: Found, segment: JpegSegment): void => {
  const { marker, payload } = segment;
  if (marker === DQT) readQuantisation(payload, found);
  else if (marker === DHT) readHuffman(payload, found);
  else if (marker === DRI) found.restartInterval = viewOf(take(payload, 0, 2)).getUint16(0);
  else if (isFrame(marker)) found.frame = readFrame(segment, found.tables);
  else if (marker === ADOBE && hasCharacters(payload, 0, 'Adobe') && byteAt(payload, 11) !== 1) {
    throw new NotCopyable('components that are not YCbCr');
  }
};

/**
 * Reads a JPEG file down to its quantised coefficients: baseline and progressive, grey or YCbCr.
 *
 * @param bytes of a file whose header was read before: its segments are known to be sound
 * @throws NotCopyable where the file is of another kind, or damaged
 */
export const readBlocks = (bytes: Uint8Array): JpegBlocks => {
  const found: Found = { restartInterval: 0, tables: new Map(), dc: new Map(), ac: new Map() };
  let segment = readSegment(bytes, SOI_BYTES);
  while (segment.marker !== EOI) {
    if (segment.marker === SOS) {
      decodeScan(bytes, segment.end, readScan(segment.payload, found));
    } else readSegmentInto(found, segment);
    segment = readSegment(bytes, segment.marker === SOS ? skipScan(bytes, segment.end) : segment.end);
  }
  const { frame } = found;
  if (!frame || frame.components.some(({ table }) => !found.tables.has(table))) {
    throw new NotCopyable('a frame or a quantisation table is missing');
  }
  return frame;
};
