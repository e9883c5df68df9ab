const POLYNOMIAL = 0xedb88320;

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  return crc;
});

/**
 * CRC-32, the checksum of PNG chunks.
 *
 * @returns an unsigned 32-bit number
 * @see https://www.w3.org/TR/png-3/#5CRC-algorithm
 */
export const crc32 = (bytes: Uint8Array): number => {
  let crc = -1;
  for (let i = 0; i < bytes.length; i++) crc = (TABLE[(crc ^ bytes[i]!) & 0xff] as number) ^ (crc >>> 8);
  return ~crc >>> 0;
};
