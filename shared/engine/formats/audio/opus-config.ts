import { hasCharacters } from '../bytes';
import { kindOfRest, type RebuiltConfig } from './rebuilt-config';

const MARKER = 'OpusHead';
/** Positions in the identification header. @see RFC 7845, section 5.1 */
const HEADER = { channels: 9, family: 18, streams: 19, table: 21 } as const;
/** Families whose table has one byte for each channel. @see RFC 8486, section 3.1, for the second */
const FAMILIES_WITH_TABLE = [1, 2, 255];

/** @returns undefined where the header is of a family that is not known here */
const sizeOf = (config: Uint8Array): number | undefined => {
  const { [HEADER.channels]: channels = 0, [HEADER.family]: family } = config;
  if (family === 0) return HEADER.streams;
  return family !== undefined && FAMILIES_WITH_TABLE.includes(family) ? HEADER.table + channels : undefined;
};

/** Rebuilds the identification header of Opus. @returns undefined where it is damaged or not known */
export const rebuildOpusConfig = (config: Uint8Array): RebuiltConfig | undefined => {
  const size = sizeOf(config);
  if (!hasCharacters(config, 0, MARKER) || size === undefined || config.byteLength < size) return undefined;
  return { bytes: config.slice(0, size), removed: kindOfRest(config.subarray(size)) };
};
