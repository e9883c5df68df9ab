import type { Change } from './config';

/** A wrong flag or setting; the message is one sentence for the user. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

/**
 * Parses the texts of a setting.
 *
 * @param texts one text, or several of a repeated flag
 * @param label the setting's name in its source, for messages: `--port`, `VEIL_PORT`, `port` of a file
 * @throws FlagError
 */
export type Reader = (texts: readonly string[], label: string) => Change;

/** An option of the command line. */
export interface NamedOption {
  /** Name without the leading dashes. */
  readonly name: string;
  readonly short?: string;
  /** Placeholder of its value in the help, such as `<number>`; undefined: a switch. */
  readonly value?: string;
  /** Description in the help, with the default in brackets at its end. */
  readonly help: string;
}

/** A setting. One name for its flag, its environment variable and its key in a configuration file. */
export interface Flag extends NamedOption {
  readonly repeated?: true;
  readonly read: Reader;
}

/** @param form its name and the placeholder of its value, as in the help: `port <number>`; a switch has no value */
export const flag = (
  form: string,
  help: string,
  read: Reader,
  more: Pick<Flag, 'short' | 'repeated'> = {},
): Flag => {
  const [, name = '', value] = /^(\S+)(?: (.+))?$/.exec(form) ?? [];
  return { name, ...(value !== undefined && { value }), help, read, ...more };
};

/** The name of a setting's environment variable. */
export const variableOf = ({ name }: NamedOption): string =>
  `VEIL_${name.replaceAll('-', '_').toUpperCase()}`;
