import { parseArgs } from 'node:util';
import { OBJECT_CLASSES, type ObjectClass } from '#shared/catalogue/classes';
import type { QualityPreset } from '#shared/domain/options';

/** What to compare, and how often. */
export interface PeerOptions {
  /** Number of photos of each labelled set; 0 skips the sets. */
  readonly limit: number;
  readonly qualities: readonly QualityPreset[];
  /** Classes that Veil hides while time and memory are measured. */
  readonly classes: readonly ObjectClass[];
  /** Folders with more photos, for which time and memory are measured. */
  readonly photoFolders: readonly string[];
  /** Video files; undefined: those of the data folder. */
  readonly clips: readonly string[] | undefined;
  /** Minimum number of frames to which clips are repeated; 0: each once. */
  readonly frames: number;
  readonly rounds: number;
}

/** An invalid flag, with one sentence as its message. */
export class WrongFlag extends Error {}

const wholeNumber = (name: string, text: string, min: number): number => {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min) return value;
  throw new WrongFlag(`--${name} takes a whole number from ${min} on, not "${text}".`);
};

/** @returns a function that finds a name. @param noun what the names are, in the singular and the plural */
const oneOf =
  <Name extends string>(names: readonly Name[], [noun, nouns]: readonly [string, string]) =>
  (text: string): Name => {
    const known = names.find((one) => one === text);
    if (known) return known;
    throw new WrongFlag(`There is no ${noun} "${text}"; ${nouns} are ${names.join(', ')}.`);
  };

/** `thorough` differs from `balanced` only with packs, which the comparison does not use. */
const PRESETS = ['fast', 'balanced'] as const satisfies readonly QualityPreset[];
const preset = oneOf<QualityPreset>(PRESETS, ['quality preset', 'presets']);
const objectClass = oneOf<ObjectClass>(OBJECT_CLASSES, ['class', 'classes']);

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        limit: { type: 'string' },
        quality: { type: 'string', multiple: true, default: [...PRESETS] },
        classes: { type: 'string', multiple: true, default: ['face'] },
        photos: { type: 'string', multiple: true, default: [] },
        clips: { type: 'string', multiple: true },
        frames: { type: 'string', default: '0' },
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
    classes: flags.classes.map(objectClass),
    photoFolders: flags.photos,
    clips: flags.clips?.filter((clip) => clip !== 'none'),
    frames: wholeNumber('frames', flags.frames, 0),
    rounds: wholeNumber('rounds', flags.rounds, 1),
  };
};
