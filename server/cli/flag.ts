import type { Change } from './config';

/** A wrong flag or setting; the message is one sentence for the user. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

/**
 * Reads a setting's texts.
 *
 * @param texts one, or several of a repeated flag
 * @param label how the setting was spelt where it was given: `--port`, `VEIL_PORT`, `port` of a file
 * @throws FlagError
 */
export type Reader = (texts: readonly string[], label: string) => Change;

/** An option of the command line. */
export interface NamedOption {
  /** As typed, without the dashes before it. */
  readonly name: string;
  readonly short?: string;
  /** What stands behind it in the help, such as `<number>`; undefined: a switch. */
  readonly value?: string;
  /** Behind the value in the help; the default in brackets at its end. */
  readonly help: string;
}

/** One setting: a flag, its environment variable and its key in a configuration file, all by one name. */
export interface Flag extends NamedOption {
  readonly repeated?: true;
  readonly read: Reader;
}

/** What a setting is called in the environment. */
export const variableOf = ({ name }: NamedOption): string =>
  `VEIL_${name.replaceAll('-', '_').toUpperCase()}`;
