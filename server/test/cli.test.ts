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

describe('flags of webhooks', () => {
  const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

  it('are off by default: nothing is signed, and only public addresses are called', () => {
    expect(configOf()).toMatchObject({ webhookKey: undefined, webhookAllow: [] });
  });

  it('open several ranges, and take a secret in the form of Standard Webhooks', () => {
    const { webhookKey, webhookAllow } = configOf(
      ...['--webhook-allow', '10.1.0.0/16', '--webhook-allow', '::1', '--webhook-secret', SECRET],
    );
    expect(Buffer.from(webhookKey!)).toEqual(Buffer.alloc(24, 7));
    expect(webhookAllow).toEqual([
      { address: '10.1.0.0', prefixBits: 16, family: 'ipv4' },
      { address: '::1', prefixBits: 128, family: 'ipv6' },
    ]);
  });

  it('are read from the environment, too', () => {
    const environment = { VEIL_WEBHOOK_ALLOW: '127.0.0.0/8,::1', VEIL_WEBHOOK_SECRET: SECRET };
    const command = parseCommand([], environment);
    expect(command).toMatchObject({ config: { webhookAllow: [{ prefixBits: 8 }, { prefixBits: 128 }] } });
  });

  it('are refused in one sentence that says what is allowed and repeats no secret', () => {
    expect(complaintAbout('--webhook-allow', 'localhost')).toBe(
      '--webhook-allow must be an address or a range such as 192.168.7.0/24 or fd00::/8, not "localhost".',
    );
    expect(complaintAbout('--webhook-secret', 'hunter2')).toBe(
      '--webhook-secret must be whsec_ and the base64 of 24 to 64 bytes.',
    );
  });
});
