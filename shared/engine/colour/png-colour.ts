import { pngChunks } from '../formats/images/sniff-png';
import {
  codePointsTransform,
  primariesTransform,
  SRGB_PRIMARIES,
  type Chromaticity,
  type Primaries,
} from './code-points';
import type { ColourTransform } from './colour-transform';
import { powerCurve } from './curve';

/** Units of `gAMA` and `cHRM` in one. */
const SCALE = 100_000;
/** 1 / 2.2 in these units: what writers of sRGB state, with curves that differ from it a little. */
const USUAL_GAMMA = 45_455;
const PRIMARIES_BYTES = 32;

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const readPrimaries = (payload: Uint8Array | undefined): Primaries | undefined => {
  if (payload?.length !== PRIMARIES_BYTES) return undefined;
  const view = viewOf(payload);
  const pair = (at: number): Chromaticity => [view.getUint32(at) / SCALE, view.getUint32(at + 4) / SCALE];
  const [white, red, green, blue] = [pair(0), pair(8), pair(16), pair(24)];
  return [white, red, green, blue].every(([, y]) => y > 0) ? { white, red, green, blue } : undefined;
};

type Chunks = ReadonlyMap<string, Uint8Array>;

/** Chunks that describe colours. */
const COLOUR_CHUNKS: readonly string[] = ['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM'];

/** The first of each of them before the pixels. */
const headerChunks = (bytes: Uint8Array): Chunks => {
  const chunks = new Map<string, Uint8Array>();
  for (const { type, payload } of pngChunks(bytes)) {
    if (type === 'IDAT') break;
    if (COLOUR_CHUNKS.includes(type) && !chunks.has(type)) chunks.set(type, payload);
  }
  return chunks;
};

const gammaTransform = (chunks: Chunks): ColourTransform | undefined => {
  const gamma = chunks.get('gAMA');
  const value = gamma?.length === 4 ? viewOf(gamma).getUint32(0) : 0;
  const stated = chunks.get('cHRM');
  const primaries = readPrimaries(stated);
  const isBroken = stated !== undefined && !primaries;
  if (value === 0 || isBroken || (!primaries && value === USUAL_GAMMA)) return undefined;
  return primariesTransform(primaries ?? SRGB_PRIMARIES, powerCurve(SCALE / value));
};

/**
 * The transform to sRGB of a sniffed PNG without an ICC profile, as browsers apply it: `cICP` before `sRGB` before
 * `gAMA` with `cHRM`. Without `gAMA`, `cHRM` counts for nothing.
 *
 * @returns undefined where the colours are sRGB's, or an ICC profile describes them
 * @see https://www.w3.org/TR/png-3/#4Concepts.ColourSpaces
 */
export const pngTransform = (bytes: Uint8Array): ColourTransform | undefined => {
  const chunks = headerChunks(bytes);
  const [primaries, transfer, , , ...more] = chunks.get('cICP') ?? [];
  if (primaries !== undefined && transfer !== undefined && more.length === 0) {
    return codePointsTransform(primaries, transfer);
  }
  return chunks.has('iCCP') || chunks.has('sRGB') ? undefined : gammaTransform(chunks);
};
