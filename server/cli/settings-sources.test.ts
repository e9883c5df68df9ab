import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCommand } from './cli';
import type { Config } from './config';
import { FlagError } from './flag';
import { temporaryFolder } from '../testing/temporary-folder';

const errorMessageOf = (...args: string[]): string => {
  try {
    parseCommand(args);
  } catch (error) {
    if (error instanceof FlagError) return error.message;
    throw error;
  }
  return 'no complaint';
};

describe('the environment and a file', () => {
  const writeConfig = (content: unknown): string => {
    const file = join(temporaryFolder(), 'veil.json');
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  const serveConfig = (args: readonly string[], environment: Record<string, string>): Config => {
    const command = parseCommand(args, environment);
    if (command.kind !== 'serve') throw new Error(`not serve but ${command.kind}`);
    return command.config;
  };

  it('can set the same settings as flags', () => {
    const VEIL_CONFIG = writeConfig({
      port: 7002,
      anonymise: ['face', 'person'],
      'max-upload': '1MB',
      insecure: true,
      format: { number: [2, 1], overlap: [0, 0] },
    });
    expect(serveConfig([], { VEIL_CONFIG, VEIL_TOKEN: 'a.b-c', VEIL_SAVE_MASK: 'all' })).toMatchObject({
      port: 7002,
      classes: ['face', 'person'],
      limits: { maxUploadBytes: 1_000_000 },
      insecure: true,
      format: { kind: 'grid', number: [2, 1] },
      token: 'a.b-c',
      saveMask: 'all',
    });
    expect(serveConfig([], { VEIL_ANONYMISE: 'vehicle, face' }).classes).toEqual(['face', 'vehicle']);
  });

  it('are overridden by flags, and the file is overridden by the environment', () => {
    const config = writeConfig({ port: 1, workers: 1, 'save-mask': 'all', anonymise: 'face' });
    const environment = { VEIL_WORKERS: '2', VEIL_SAVE_MASK: 'binary', VEIL_ANONYMISE: 'person' };
    const args = ['--config', config, '--save-mask', 'instance', '-a', 'vehicle'];
    expect(serveConfig(args, environment)).toMatchObject({
      port: 1,
      workers: 2,
      saveMask: 'instance',
      classes: ['vehicle'],
    });
  });

  it('set nothing by an empty variable', () => {
    expect(serveConfig([], { VEIL_PORT: '', VEIL_CONFIG: '' }).port).toBe(7000);
  });

  it('may contain settings of both modes', () => {
    const environment = { VEIL_METHOD: 'blacken', VEIL_PORT: '7005', VEIL_OUTPUT: 'out' };
    expect(serveConfig([], environment).port).toBe(7005);
    const command = parseCommand(['photos'], environment);
    expect(command).toMatchObject({ kind: 'batch', config: { options: { method: 'blacken' } } });
  });

  it.each([
    [{ max_upload: '1MB' }, /has an unknown key "max_upload": write "max-upload"\.$/],
    [{ port: 'x' }, /^"port" in .*veil\.json must be a whole number from 0 to 65535, not "x"\.$/],
    [{ ports: 1 }, /^The configuration file .* has an unknown key "ports"\.$/],
    ['{', /^The configuration file .* is not JSON\.$/],
    ['[1]', /^The configuration file .* must hold one JSON object\.$/],
  ])('are refused with the name of the setting in its source: %j', (content, sentence) => {
    expect(errorMessageOf('--config', writeConfig(content))).toMatch(sentence);
  });

  it('are refused if they cannot be read', () => {
    expect(errorMessageOf('--config', '/nowhere/veil.json')).toBe(
      'The configuration file /nowhere/veil.json cannot be read.',
    );
    expect(() => parseCommand([], { VEIL_PORT: 'x' })).toThrow(
      new FlagError('VEIL_PORT must be a whole number from 0 to 65535, not "x".'),
    );
  });
});
