import { readFileSync } from 'node:fs';
import { FlagError } from './flag';

/** Secret settings, which can also be read from a file, as container platforms provide them. */
export const SECRETS = ['token', 'tokens', 'webhook-secret', 'database', 'queue'] as const;

/** Name of the flag for a secret's file. */
export const secretFileFlag = (name: (typeof SECRETS)[number]): string => `${name}-file`;

const readSecret = (file: string, label: string): string => {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    throw new FlagError(`The file ${file} of ${label} cannot be read.`);
  }
};

/** Reads a secret from the file that a setting names. @param parse must not put the secret into its error message */
export const fromFile =
  <T>(parse: (text: string, label: string) => T) =>
  (file: string, label: string): T =>
    parse(readSecret(file, label), `The content of the file of ${label}`);
