import type { RunningSha256 } from '#shared/ports/system';
import { toHex } from '#shared/report/hex';

const BLOCK_BYTES = 64;
const LENGTH_BYTES = 8;
const WORDS = 64;

/** The first 32 bits of the fractional part of a number's root. */
const fraction = (root: number): number => Math.floor((root % 1) * 2 ** 32) | 0;

const isPrime = (number: number): boolean => {
  for (let factor = 2; factor * factor <= number; factor += 1) if (number % factor === 0) return false;
  return true;
};

const PRIMES = Array.from({ length: 312 }, (_, index) => index)
  .slice(2)
  .filter(isPrime);
/** @see FIPS 180-4, section 4.2.2 */
const K = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
/** @see FIPS 180-4, section 5.3.3 */
const INITIAL = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** Expands a block to the 64 words of the message schedule. */
const expand = (w: Int32Array, view: DataView, at: number): void => {
  for (let t = 0; t < 16; t += 1) w[t] = view.getInt32(at + 4 * t);
  for (let t = 16; t < WORDS; t += 1) {
    const early = w[t - 15]!;
    const late = w[t - 2]!;
    const s0 = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const s1 = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    w[t] = (w[t - 16]! + s0 + w[t - 7]! + s1) | 0;
  }
};

/** Adds a block to the state. @see FIPS 180-4, section 6.2.2 */
const addBlock = (state: Int32Array, w: Int32Array): void => {
  // One by one: taking them from an iterator takes longer than all rounds together.
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let t = 0; t < WORDS; t += 1) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[t]! + w[t]!) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
};

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The bytes that complete a message of this length to whole blocks. @see FIPS 180-4, section 5.1.1 */
const paddingOf = (lengthBytes: number): Uint8Array => {
  const used = (lengthBytes + 1 + LENGTH_BYTES) % BLOCK_BYTES;
  const padding = new Uint8Array(1 + ((BLOCK_BYTES - used) % BLOCK_BYTES) + LENGTH_BYTES);
  padding[0] = 0x80;
  viewOf(padding).setBigUint64(padding.length - LENGTH_BYTES, BigInt(lengthBytes) * 8n);
  return padding;
};

/**
 * SHA-256 of bytes that come one after another.
 *
 * `crypto.subtle` digests only bytes that are all in memory, and a video may be larger than memory.
 *
 * @see FIPS 180-4
 */
export const startSha256 = (): RunningSha256 => {
  const state = INITIAL.slice();
  const w = new Int32Array(WORDS);
  const rest = new Uint8Array(BLOCK_BYTES);
  let lengthBytes = 0;

  const addBlocks = (bytes: Uint8Array): void => {
    const view = viewOf(bytes);
    for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
      expand(w, view, at);
      addBlock(state, w);
    }
  };
  const update = (bytes: Uint8Array): void => {
    const held = lengthBytes % BLOCK_BYTES;
    lengthBytes += bytes.length;
    const first = held === 0 ? 0 : Math.min(BLOCK_BYTES - held, bytes.length);
    rest.set(bytes.subarray(0, first), held);
    if (held > 0 && held + first === BLOCK_BYTES) addBlocks(rest);
    const whole = bytes.length - ((bytes.length - first) % BLOCK_BYTES);
    if (whole > first) addBlocks(bytes.subarray(first, whole));
    if (held === 0 || held + first === BLOCK_BYTES) rest.set(bytes.subarray(whole));
  };
  return {
    update,
    digest: async () => {
      update(paddingOf(lengthBytes));
      const bytes = new Uint8Array(4 * state.length);
      state.forEach((word, index) => viewOf(bytes).setInt32(4 * index, word));
      return toHex(bytes);
    },
  };
};
