import { parseArgs } from 'node:util';
import { QUALITY_PRESETS, type QualityPreset } from '#shared/domain/options';

/** What to compare, and how often. */
export interface PeerOptions {
  /** Number of photos of each labelled set; 0 skips the sets. */
  readonly limit: number;
  readonly qualities: readonly QualityPreset[];
  /** Folders with more photos, for which time and memory are measured. */
  readonly photoFolders: readonly string[];
  /** Video files; undefined: those of the data folder. */
  readonly clips: readonly string[] | undefined;
  readonly rounds: number;
}

/** An invalid flag, with one sentence as its message. */
export class WrongFlag extends Error {}

const wholeNumber = (name: string, text: string, min: number): number => {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min) return value;
  throw new WrongFlag(`--${name} takes a whole number from ${min} on, not "${text}".`);
};

const preset = (text: string): QualityPreset => {
  const known = QUALITY_PRESETS.find((one) => one === text);
  if (known) return known;
  throw new WrongFlag(`There is no quality preset "${text}"; presets are ${QUALITY_PRESETS.join(', ')}.`);
};

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        limit: { type: 'string' },
        quality: { type: 'string', multiple: true, default: [...QUALITY_PRESETS] },
        photos: { type: 'string', multiple: true, default: [] },
        clips: { type: 'string', multiple: true },
        rounds: { type: 'string', default: '3' },
      },
    }).values;
  } catch (error) {
    // Only the first line describes the error; the others give advice.
    throw new WrongFlag((error as Error).message.split('\n')[0]);
  }
};

/** @throws WrongFlag */
export const readPeerOptions = (args: readonly string[]): PeerOptions => {
  const flags = parse(args);
  return {
    limit: flags.limit === undefined ? Infinity : wholeNumber('limit', flags.limit, 0),
    qualities: flags.quality.map(preset),
    photoFolders: flags.photos,
    clips: flags.clips?.filter((clip) => clip !== 'none'),
    rounds: wholeNumber('rounds', flags.rounds, 1),
  };
};
