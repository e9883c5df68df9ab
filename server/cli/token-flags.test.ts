import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder';
import { parseCommand } from './cli';
import { FlagError } from './flag';
import { tokenWarnings } from './token-flags';

const tokensIn = (args: readonly string[], environment: Record<string, string> = {}) => {
  const command = parseCommand(args, environment);
  if (command.kind !== 'serve') throw new Error(command.kind);
  return command.config.tokens;
};
const errorMessageOf = (text: string): string => {
  try {
    tokensIn(['--tokens', text]);
  } catch (error) {
    if (error instanceof FlagError) return error.message;
    throw error;
  }
  return 'no complaint';
};

describe('a release gate', () => {
  const TOKEN = 'edit,read 0123456789abcdef';
  const gated = (...args: string[]) => parseCommand(['--release-gate', ...args]);

  it.each([
    ['--release-gate needs tokens', []],
    ['--release-gate needs a token with the scope edit', ['--tokens', 'upload,read 0123456789abcdef']],
  ])('is refused where nobody is a reviewer: %s', (sentence, args) => {
    expect(() => gated(...args)).toThrow(sentence);
  });

  it.each([
    ['--tokens', TOKEN],
    ['--token', '0123456789abcdef'],
  ])('is opened by the holder of %s', (...args) => {
    expect(gated(...args)).toMatchObject({ kind: 'serve', config: { releaseGate: true } });
  });

  it('is closed by all API processes in the same way', () => {
    const services = ['--database', 'postgres://a', '--queue', 'redis://a', '--files', 'file:///a'];
    expect(() => parseCommand(['api', '--release-gate', ...services])).toThrow('needs tokens');
    const command = parseCommand(['api', '--release-gate', '--tokens', TOKEN, ...services]);
    expect(command).toMatchObject({ kind: 'api', config: { releaseGate: true } });
  });
});

describe('tokens with scopes', () => {
  const EXPECTED = [
    { scopes: ['upload', 'read'], token: 'one' },
    { scopes: ['metrics'], token: 'two==' },
  ];

  it('are separated by semicolons', () => {
    expect(tokensIn(['--tokens', 'upload,read one; metrics two=='])).toEqual(EXPECTED);
    expect(tokensIn([], { VEIL_TOKENS: ' upload,read  one;metrics two==; ' })).toEqual(EXPECTED);
  });

  it('stand in a file one on each line, between comments', () => {
    const file = join(temporaryFolder(), 'tokens');
    writeFileSync(file, '# the kiosk; it only sends\r\nupload,read one\r\n\n  metrics\ttwo==\n');
    expect(tokensIn(['--tokens-file', file])).toEqual(EXPECTED);
  });

  it('are there for workers', () => {
    const services = ['--database', 'postgres://db', '--queue', 'redis://queue', '--files', '/files'];
    const command = parseCommand(['worker', ...services], { VEIL_TOKENS: 'metrics abc' });
    expect(command).toMatchObject({ config: { tokens: [{ scopes: ['metrics'], token: 'abc' }] } });
  });

  it.each([
    ['hunter2', '--tokens: entry 1 must be scopes'],
    ['read one; admin hunter2', '--tokens: entry 2 must be scopes'],
    ['read one hunter2', '--tokens: entry 1 must be scopes'],
    ['read, hunter2', '--tokens: entry 1 must be scopes'],
    ['read hunter2!', 'The token in --tokens: entry 1 may contain only'],
    [';', '--tokens must contain a token.'],
    ['read hunter2; list hunter2', '--tokens must contain each token once'],
  ])('are refused in a sentence without the secret: %s', (text, sentence) => {
    expect(errorMessageOf(text)).toContain(sentence);
    expect(errorMessageOf(text)).not.toContain('hunter2');
  });
});

describe('a warning at the start', () => {
  const warnings = (token: string) => tokenWarnings({ token, tokens: [{ token, scopes: ['list'] }] });

  it('names tokens of fewer than 16 characters by their scopes', () => {
    expect(warnings('123456789012345')).toEqual([
      expect.stringContaining('scope all has fewer than 16 characters'),
      expect.stringContaining('scope list has fewer than 16 characters'),
    ]);
    expect(warnings('123456789012345').join()).not.toContain('12345');
  });

  it('is not given for longer ones', () => {
    expect(warnings('1234567890123456')).toEqual([]);
  });
});
