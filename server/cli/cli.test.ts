import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { imageOptions } from '#shared/api/handlers/image-options';
import { LIMITS } from '#shared/domain/limits';
import { DEFAULT_CLASSES, OBJECT_CLASSES } from '#shared/catalogue/classes';
import { METHODS } from '#shared/catalogue/methods';
import { DEFAULT_THRESHOLDS } from '#shared/domain/options';
import { parseCommand } from './cli';
import { defaultSettings, threadsPerWorker, type BatchConfig, type Config } from './config';
import { BATCH_FLAGS } from './batch-flags';
import { COMMON_FLAGS } from './common-flags';
import { FlagError } from './flag';
import { SERVER_FLAGS } from './server-flags';
import { CONNECTION_LIMITS } from '../http/connection-limits';

const configOf = (...args: string[]): Config => {
  const command = parseCommand(args);
  if (command.kind !== 'serve') throw new Error(`not serve but ${command.kind}`);
  return command.config;
};
const batchOf = (...args: string[]): BatchConfig => {
  const command = parseCommand(args);
  if (command.kind !== 'batch') throw new Error(`not batch but ${command.kind}`);
  return command.config;
};
const errorMessageOf = (...args: string[]): string => {
  try {
    parseCommand(args);
  } catch (error) {
    if (error instanceof FlagError) return error.message;
    throw error;
  }
  return 'no complaint';
};

/** The text that a command prints. */
const textOf = (...args: string[]): string => {
  const command = parseCommand(args);
  if (!('text' in command)) throw new Error(`prints nothing: ${command.kind}`);
  return command.text;
};

describe('flags', () => {
  it('are optional; the defaults are this machine, port 7000, all classes and no masks', () => {
    expect(configOf()).toMatchObject({
      host: '127.0.0.1',
      port: 7000,
      classes: ['face', 'license-plate', 'person', 'vehicle'],
      format: { kind: 'whole' },
      saveMask: 'none',
      hold: 'all',
      syncWhenBusy: 'refuse',
      apiEndpoint: undefined,
      inputFolder: join(process.cwd(), '.veil/input'),
      outputFolder: join(process.cwd(), '.veil/output'),
    });
  });

  it('are accepted in the form of the container’s documentation', () => {
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

  it('accept classes in any order and repeatedly', () => {
    expect(configOf('-a', 'vehicle', '--anonymise=face', '-a', 'face').classes).toEqual(['face', 'vehicle']);
  });

  it('accept the same tilings as requests', () => {
    expect(configOf('--format', 'pano:4096').format).toEqual({ kind: 'pano', width: 4096 });
    expect(configOf('--format', '{"number":[2,2],"overlap":[0.1,0]}').format).toEqual({
      kind: 'grid',
      number: [2, 2],
      overlap: [0.1, 0],
    });
  });

  it('remove the last slash of an endpoint', () => {
    expect(configOf('--api-endpoint', 'https://example.org/veil//').apiEndpoint).toBe(
      'https://example.org/veil',
    );
  });

  it('print help or the version even if other flags are wrong', () => {
    expect(parseCommand(['--port', '1', '--help']).kind).toBe('help');
    expect(parseCommand(['--version']).kind).toBe('version');
  });

  it('are all in the help, with their environment variables', () => {
    const HELP = textOf('--help');
    for (const { name, short } of [...COMMON_FLAGS, ...SERVER_FLAGS, ...BATCH_FLAGS]) {
      expect(HELP).toContain(short === undefined ? `--${name}` : `-${short}, --${name}`);
    }
    expect(HELP).toContain('VEIL_MAX_UPLOAD');
  });

  it.each([
    ['500MB', 500_000_000],
    ['2GiB', 2 * 1024 ** 3],
    ['1.5 kB', 1500],
    ['1048576', 1024 ** 2],
  ])('accept the size %s', (text, bytes) => {
    expect(configOf('--max-upload', text).limits.maxUploadBytes).toBe(bytes);
  });

  it.each([
    ['30m', 1_800_000],
    ['12h', 43_200_000],
    ['7d', 604_800_000],
    ['90s', 90_000],
    ['1.5h', 5_400_000],
  ])('accept the duration %s', (text, ms) => {
    expect(configOf('--data-retention', text).retentionMs).toBe(ms);
  });

  it.each([
    ['30m', 1_800_000, 0],
    ['10m+60s/MP', 600_000, 60_000],
    [' 1h + 1.5m / mp', 3_600_000, 90_000],
  ])('accept the time limit %s', (text, taskTimeoutMs, taskTimeoutMsPerMegapixel) => {
    expect(configOf('--task-timeout', text)).toMatchObject({ taskTimeoutMs, taskTimeoutMsPerMegapixel });
  });

  it('limit the pixels of a video, the memory of images and the use of the disk', () => {
    const { limits, memoryBudgetBytes, diskReserveBytes } = configOf(
      ...['--max-video-pixels', '500GP', '--memory-budget', '4GiB', '--disk-reserve', '10GB'],
    );
    expect(limits.maxVideoTotalPixels).toBe(500e9);
    expect([memoryBudgetBytes, diskReserveBytes]).toEqual([4 * 1024 ** 3, 10e9]);
    const byDefault = configOf().memoryBudgetBytes;
    expect([Number.isFinite(byDefault), byDefault > 0]).toEqual([true, true]);
  });

  it('limit connections and slow clients, which have finite limits without flags', () => {
    const flags = ['--upload-idle', '2m', '--upload-min-rate', '4KiB', '--max-connections', '50'];
    expect(configOf(...flags, '--max-event-streams', '7')).toMatchObject({
      uploadIdleMs: 120_000,
      uploadMinBytesPerS: 4096,
      maxConnections: 50,
      maxEventStreams: 7,
    });
    expect(configOf()).toMatchObject(CONNECTION_LIMITS);
  });

  it('limit images, the queue and the time of a task separately', () => {
    const { limits, maxQueue, taskTimeoutMs } = configOf(
      ...['--max-pixels', '24MP', '--max-queue', '5', '--task-timeout', '1m'],
    );
    expect(limits).toEqual({ ...LIMITS, maxPixels: 24_000_000 });
    expect([maxQueue, taskTimeoutMs]).toEqual([5, 60_000]);
    expect(configOf()).toMatchObject({
      limits: LIMITS,
      maxQueue: 100_000,
      taskTimeoutMs: 600_000,
      taskTimeoutMsPerMegapixel: 60_000,
      diskReserveBytes: 1024 ** 3,
      retentionMs: undefined,
      token: undefined,
    });
  });
});

describe('files and folders', () => {
  it('are processed with the same defaults as uploads, and as panoramas where their metadata says so', () => {
    expect(batchOf('photos', 'a.jpg', '-o', 'out')).toMatchObject({
      inputs: ['photos', 'a.jpg'],
      outputFolder: 'out',
      options: imageOptions({}, { classes: DEFAULT_CLASSES, format: { kind: 'auto' } }),
      saveMask: 'none',
      saveMetadata: false,
      json: false,
    });
  });

  it('accept upload parameters as flags', () => {
    const line =
      'photos -o out -a face -a person --method pixelate --format pano:4096 --face-threshold 0.7 --quality fast --head-fallback --bbox --debug --score --save-mask all --save-metadata --json';
    const { options, ...config } = batchOf(...line.split(' '));
    expect(options).toMatchObject({
      method: 'pixelate',
      classes: ['face', 'person'],
      thresholds: { face: 0.7, person: DEFAULT_THRESHOLDS.person },
      format: { kind: 'pano', width: 4096 },
      bbox: true,
      qualityPreset: 'fast',
      headFallback: true,
      debug: true,
      score: true,
    });
    expect(config).toMatchObject({ saveMask: 'all', saveMetadata: true, json: true });
  });

  it('may have names that begin with a dash', () => {
    expect(batchOf('-o', 'out', '--', '-a.jpg').inputs).toEqual(['-a.jpg']);
  });
});

describe('a wrong flag is refused in one sentence', () => {
  it.each([
    [['--port', '70000'], '--port must be a whole number from 0 to 65535, not "70000".'],
    [['--port', '1e3'], '--port must be a whole number from 0 to 65535, not "1e3".'],
    [['--port', ''], '--port must be a whole number from 0 to 65535, not "".'],
    [['--workers', '0'], '--workers must be a whole number from 1 to 64, not "0".'],
    [
      ['photos', '-o', 'out', '--quality', '90'],
      '--quality must be one of fast, balanced, thorough, not "90".',
    ],
    [['--save-mask', 'some'], '--save-mask must be one of none, all, binary, instance, not "some".'],
    [['--hold', 'none'], '--hold must be one of all, latest, not "none".'],
    [['--sync-when-busy', 'wait'], '--sync-when-busy must be one of refuse, queue, not "wait".'],
    [['-a', 'dog'], `--anonymise must be one of ${OBJECT_CLASSES.join(', ')}, not "dog".`],
    [['--api-endpoint', 'ftp://a'], '--api-endpoint must be an http or https URL, not "ftp://a".'],
    [['--api-endpoint', 'localhost'], '--api-endpoint must be an http or https URL, not "localhost".'],
    [['--input', ''], '--input must not be empty.'],
    [['--format', 'half'], expect.stringMatching(/^--format must be .*"half"\.$/)],
    [['--bogus'], "Unknown option '--bogus'; see --help."],
    [
      ['--max-upload', 'much'],
      '--max-upload must be a size from 1B to 1TiB, such as 500MB or 2GiB, not "much".',
    ],
    [
      ['--max-upload', '1MX'],
      '--max-upload must be a size from 1B to 1TiB, such as 500MB or 2GiB, not "1MX".',
    ],
    [
      ['--max-pixels', '0'],
      expect.stringMatching(/^--max-pixels must be a number of pixels from 1 to .*"0"\.$/),
    ],
    [['--max-queue', '0'], '--max-queue must be a whole number from 1 to 1000000, not "0".'],
    [['--task-timeout', '30'], expect.stringMatching(/^--task-timeout must be a duration .*"30"\.$/)],
    [['--task-timeout', '10m+60s'], expect.stringMatching(/^--task-timeout must be a duration .*s"\.$/)],
    [['--task-timeout', '25d'], expect.stringMatching(/^--task-timeout must be a duration .*"25d"\.$/)],
    [['--data-retention', '-1d'], expect.stringContaining("'--data-retention' argument is ambiguous")],
    [['--token', 'sécret'], '--token may contain only letters, digits and -._~+/=.'],
    [
      ['photos'],
      'Name the folder for results with --output, or write them next to their sources with --suffix.',
    ],
    [['', '-o', 'out'], 'The name of a file or folder must not be empty.'],
    [
      ['photos', '-o', 'out', '--port', '1'],
      '--port applies only to the server, which does not start when files or folders are given; see --help.',
    ],
    [['--method', 'blur'], '--method applies only to files and folders, and none are given; see --help.'],
    [
      ['photos', '-o', 'out', '--method', 'smear'],
      `--method must be one of ${METHODS.join(', ')}, not "smear".`,
    ],
    [['photos', '-o', 'out', '--margin', '3'], '--margin must be a number from 1 to 2, not "3".'],
    [
      ['photos', '-o', 'out', '--face-threshold', '1.5'],
      '--face-threshold must be a number from 0 to 1, not "1.5".',
    ],
    [
      ['photos', '-o', 'out', '--ignores', '[1]'],
      expect.stringMatching(/^--ignores must be a JSON array.*"\[1\]"\.$/),
    ],
    [
      ['photos', '-o', 'out', '--hides', '[{"points":[[0,0],[9,9],[9,0],[0,9]]}]'],
      expect.stringMatching(/^--hides\[0\] must be a polygon whose sides do not cross, not /),
    ],
    [
      ['photos', '-o', 'out', '--method', 'detect'],
      '--method detect writes no images or videos: add --save-mask, --save-metadata, --save-report, --save-log or --export.',
    ],
    [
      ['photos', '-o', 'out', '--report-key', 'nowhere.pem', '--save-report'],
      'The file nowhere.pem of --report-key cannot be read.',
    ],
    [['drive.mcap', '-o', 'out', '--start', '2m', '--end', '90s'], '--end must be later than --start.'],
    [['--port'], "Option '--port <value>' argument missing; see --help."],
  ])('%j', (args, sentence) => {
    expect(errorMessageOf(...args)).toEqual(sentence);
  });
});

it('two cores are used for each worker by default', () => {
  const { workers } = defaultSettings();
  expect(workers).toBeGreaterThanOrEqual(1);
  expect(threadsPerWorker(1)).toBeGreaterThanOrEqual(threadsPerWorker(2));
  expect(threadsPerWorker(1000)).toBe(1);
});

describe('flags of webhooks', () => {
  const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

  it('are off by default, so that calls are not signed and only public addresses are called', () => {
    expect(configOf()).toMatchObject({ webhookKey: undefined, webhookAllow: [] });
  });

  it('accept several address ranges, and a secret in the form of Standard Webhooks', () => {
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

  it('are refused in one sentence that explains the form and does not contain the secret', () => {
    expect(errorMessageOf('--webhook-allow', 'localhost')).toBe(
      '--webhook-allow must be an address or a range such as 192.168.7.0/24 or fd00::/8, not "localhost".',
    );
    expect(errorMessageOf('--webhook-secret', 'hunter2')).toBe(
      '--webhook-secret must be whsec_ and the base64 of 24 to 64 bytes.',
    );
  });
});
