import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCommand } from './cli';
import { FlagError } from './flag';
import { temporaryFolder } from '../testing/temporary-folder';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const fileWith = (text: string, name = 'secret'): string => {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
};
const errorMessageOf = (args: readonly string[], environment: Record<string, string> = {}): string => {
  try {
    parseCommand(args, environment);
  } catch (error) {
    if (error instanceof FlagError) return error.message;
    throw error;
  }
  return 'no complaint';
};

describe('secrets in files', () => {
  it.each(['', '\n', '\r\n'])('are read without a newline at their end: %j', (end) => {
    const environment = {
      VEIL_TOKEN_FILE: fileWith(`a.b-c${end}`),
      VEIL_WEBHOOK_SECRET_FILE: fileWith(`${SECRET}${end}`),
    };
    const webhookKey = new Uint8Array(Buffer.alloc(24, 7));
    const command = parseCommand([], environment);
    if (command.kind !== 'serve') throw new Error(command.kind);
    expect(command.config.token).toBe('a.b-c');
    expect(new Uint8Array(command.config.webhookKey!)).toEqual(webhookKey);
  });

  it('can be named by flags and by a configuration file', () => {
    const file = fileWith('abc');
    expect(parseCommand(['--token-file', file])).toMatchObject({ config: { token: 'abc' } });
    const config = fileWith(JSON.stringify({ 'token-file': file }), 'veil.json');
    expect(parseCommand(['--config', config])).toMatchObject({ config: { token: 'abc' } });
  });

  it('are refused if the secret itself is set too, in any source', () => {
    const file = fileWith('abc');
    expect(errorMessageOf([], { VEIL_TOKEN: 'x', VEIL_TOKEN_FILE: file })).toBe(
      'VEIL_TOKEN and VEIL_TOKEN_FILE are both set: set only one of them.',
    );
    expect(errorMessageOf(['--webhook-secret', SECRET], { VEIL_WEBHOOK_SECRET_FILE: file })).toBe(
      '--webhook-secret and VEIL_WEBHOOK_SECRET_FILE are both set: set only one of them.',
    );
    expect(errorMessageOf([], { VEIL_TOKEN: '', VEIL_TOKEN_FILE: file })).toBe('no complaint');
  });

  it('are refused if they cannot be read', () => {
    expect(errorMessageOf(['--token-file', '/nowhere/token'])).toBe(
      'The file /nowhere/token of --token-file cannot be read.',
    );
    const folder = temporaryFolder();
    expect(errorMessageOf([], { VEIL_WEBHOOK_SECRET_FILE: folder })).toBe(
      `The file ${folder} of VEIL_WEBHOOK_SECRET_FILE cannot be read.`,
    );
  });

  it.each(['two words', '', 'abc\n\n', 'hunter2!'])(
    'are not contained in the error message if they are wrong: %j',
    (text) => {
      expect(errorMessageOf([], { VEIL_TOKEN_FILE: fileWith(text) })).toBe(
        'The content of the file of VEIL_TOKEN_FILE may contain only letters, digits and -._~+/=.',
      );
      expect(errorMessageOf([], { VEIL_WEBHOOK_SECRET_FILE: fileWith(text) })).toBe(
        'The content of the file of VEIL_WEBHOOK_SECRET_FILE must be whsec_ and the base64 of 24 to 64 bytes.',
      );
    },
  );
});
