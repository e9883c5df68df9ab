import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCommand } from '../cli';
import { defaultSettings, threadsPerWorker, type Config } from '../config';
import { FlagError } from '../flags/flag';
import { HELP } from '../flags/help';

const configOf = (...args: string[]): Config => {
  const command = parseCommand(args);
  if (command.kind !== 'serve') throw new Error(`not serve but ${command.kind}`);
  return command.config;
};
const complaintAbout = (...args: string[]): string => {
  try {
    parseCommand(args);
  } catch (error) {
    if (error instanceof FlagError) return error.message;
    throw error;
  }
  return 'no complaint';
};

describe('flags', () => {
  it('are all optional: this machine only, port 7000, all classes, no masks', () => {
    expect(configOf()).toMatchObject({
      host: '127.0.0.1',
      port: 7000,
      classes: ['face', 'license-plate', 'person', 'vehicle'],
      tiling: { kind: 'whole' },
      saveMask: 'none',
      hold: 'all',
      syncWhenBusy: 'refuse',
      apiEndpoint: undefined,
      inputFolder: join(process.cwd(), '.veil/input'),
      outputFolder: join(process.cwd(), '.veil/output'),
    });
  });

  it('are taken as the container takes them', () => {
    const line =
      '--api --api-endpoint http://localhost:7000/ -a face -a license-plate --format whole --save-mask all -i /in -o /out';
    expect(configOf(...line.split(' '))).toMatchObject({
      apiEndpoint: 'http://localhost:7000',
      classes: ['face', 'license-plate'],
      saveMask: 'all',
      inputFolder: '/in',
      outputFolder: '/out',
    });
  });

  it('name classes in any order and more than once', () => {
    expect(configOf('-a', 'vehicle', '--anonymise=face', '-a', 'face').classes).toEqual(['face', 'vehicle']);
  });

  it('take the tilings that requests take', () => {
    expect(configOf('--format', 'pano:4096').tiling).toEqual({ kind: 'pano', width: 4096 });
    expect(configOf('--format', '{"number":[2,2],"overlap":[0.1,0]}').tiling).toEqual({
      kind: 'grid',
      number: [2, 2],
      overlap: [0.1, 0],
    });
  });

  it('keep the path of an endpoint without its last slash', () => {
    expect(configOf('--api-endpoint', 'https://example.org/veil//').apiEndpoint).toBe(
      'https://example.org/veil',
    );
  });

  it('may ask for help or the version, whatever else they say', () => {
    expect(parseCommand(['--port', '1', '--help']).kind).toBe('help');
    expect(parseCommand(['--version']).kind).toBe('version');
  });

  it('are each named by the help', () => {
    for (const flag of [
      '--api',
      '-a, --anonymise',
      '--format',
      '--save-mask',
      '-i, --input',
      '-o, --output',
    ]) {
      expect(HELP).toContain(flag);
    }
  });
});

describe('a wrong flag gets one sentence', () => {
  it.each([
    [['--port', '70000'], '--port must be a whole number from 0 to 65535, not "70000".'],
    [['--port', '1e3'], '--port must be a whole number from 0 to 65535, not "1e3".'],
    [['--port', ''], '--port must be a whole number from 0 to 65535, not "".'],
    [['--workers', '0'], '--workers must be a whole number from 1 to 64, not "0".'],
    [['--save-mask', 'some'], '--save-mask must be one of none, all, binary, instance, not "some".'],
    [['--hold', 'none'], '--hold must be one of all, latest, not "none".'],
    [['--sync-when-busy', 'wait'], '--sync-when-busy must be one of refuse, queue, not "wait".'],
    [['-a', 'dog'], '--anonymise must be one of face, license-plate, person, vehicle, not "dog".'],
    [['--api-endpoint', 'ftp://a'], '--api-endpoint must be an http or https URL, not "ftp://a".'],
    [['--api-endpoint', 'localhost'], '--api-endpoint must be an http or https URL, not "localhost".'],
    [['--input', ''], '--input must not be empty.'],
    [['--format', 'half'], expect.stringMatching(/^--format must be .*"half"\.$/)],
    [['--bogus'], "Unknown option '--bogus'; see --help."],
    [['--port'], "Option '--port <value>' argument missing; see --help."],
  ])('%j', (args, sentence) => {
    expect(complaintAbout(...args)).toEqual(sentence);
  });
});

it('workers share the cores', () => {
  const { workers } = defaultSettings();
  expect(workers).toBeGreaterThanOrEqual(1);
  expect(threadsPerWorker(1)).toBeGreaterThanOrEqual(threadsPerWorker(2));
  expect(threadsPerWorker(1000)).toBe(1);
});
