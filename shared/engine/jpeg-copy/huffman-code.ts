const LONGEST_CODE = 16;
const SYMBOLS = 256;

/** A Huffman code: what a file states, and what its writer needs. */
export interface HuffmanCode {
  /** Number of codes of each length, 1 to 16. */
  readonly counts: Uint8Array;
  /** By length, then by value. */
  readonly symbols: Uint8Array;
  /** By symbol. */
  readonly codes: Uint16Array;
  readonly lengths: Uint8Array;
}

/** The index of the smallest frequency above 0 (of several: the last), without `but`; −1: there is none. */
const rarest = (frequencies: Float64Array, but = -1): number => {
  let found = -1;
  for (let i = 0; i < frequencies.length; i++) {
    const frequency = frequencies[i] as number;
    if (frequency > 0 && i !== but && (found < 0 || frequency <= (frequencies[found] as number))) found = i;
  }
  return found;
};

/** Lengths of the codes of all symbols, without a limit. The last symbol is one that no file uses. @see ITU-T T.81, K.2 */
const codeLengths = (frequencies: Float64Array): Uint16Array => {
  const lengths = new Uint16Array(frequencies.length);
  const next = new Int16Array(frequencies.length).fill(-1);
  for (;;) {
    const first = rarest(frequencies);
    const second = rarest(frequencies, first);
    if (second < 0) return lengths;
    frequencies[first] = (frequencies[first] as number) + (frequencies[second] as number);
    frequencies[second] = 0;
    let last = first;
    for (let at = first; at >= 0; at = next[at] as number) {
      lengths[at] = (lengths[at] as number) + 1;
      last = at;
    }
    next[last] = second;
    for (let at = second; at >= 0; at = next[at] as number) lengths[at] = (lengths[at] as number) + 1;
  }
};

/** Shortens codes of more than 16 bits, and takes the code of ones alone away, which no file may use. @see K.2, figure K.3 */
const limitLengths = (lengths: Uint16Array): Uint8Array => {
  const counts = new Uint16Array(lengths.length);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] as number) + 1;
  for (let i = counts.length - 1; i > LONGEST_CODE; i--) {
    while ((counts[i] as number) > 0) {
      let j = i - 2;
      while (counts[j] === 0) j--;
      counts[i] = (counts[i] as number) - 2;
      counts[i - 1] = (counts[i - 1] as number) + 1;
      counts[j + 1] = (counts[j + 1] as number) + 2;
      counts[j] = (counts[j] as number) - 1;
    }
  }
  let last = LONGEST_CODE;
  while (last > 0 && counts[last] === 0) last--;
  counts[last] = (counts[last] as number) - 1;
  return Uint8Array.from(counts.subarray(1, LONGEST_CODE + 1));
};

/** The best code for symbols of these frequencies, each of 256. */
export const huffmanCode = (frequencies: Float64Array): HuffmanCode => {
  const withReserved = new Float64Array(SYMBOLS + 1);
  withReserved.set(frequencies);
  withReserved[SYMBOLS] = 1;
  const unlimited = codeLengths(withReserved);
  const counts = limitLengths(unlimited);
  const symbols = Uint8Array.from(
    Array.from({ length: SYMBOLS }, (_, symbol) => symbol)
      .filter((symbol) => (unlimited[symbol] as number) > 0)
      .toSorted((a, b) => (unlimited[a] as number) - (unlimited[b] as number) || a - b),
  );
  const codes = new Uint16Array(SYMBOLS);
  const lengths = new Uint8Array(SYMBOLS);
  let [code, place] = [0, 0];
  counts.forEach((count, index) => {
    for (let i = 0; i < count; i++, place++) {
      const symbol = symbols[place] as number;
      codes[symbol] = code++;
      lengths[symbol] = index + 1;
    }
    code <<= 1;
  });
  return { counts, symbols, codes, lengths };
};
