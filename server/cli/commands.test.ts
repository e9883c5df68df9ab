import { describe, expect, it } from 'vitest';
import { parseCommand, type Command } from './cli';
import { FlagError } from './flag';
import { VERSION } from '#shared/domain/version';

const textOf = (...args: string[]): string => {
  const command = parseCommand(args);
  if (!('text' in command)) throw new Error(`prints nothing: ${command.kind}`);
  return command.text;
};
const read = (...args: string[]): Command => parseCommand(args);
const inputsOf = (command: Command): readonly string[] => {
  if (command.kind !== 'batch') throw new Error(`not batch but ${command.kind}`);
  return command.config.inputs;
};

describe('commands', () => {
  it('list, add, remove and check packs of models', () => {
    const folder = undefined;
    expect(read('models', 'list')).toEqual({ kind: 'models', task: { action: 'list' }, folder });
    expect(read('models', 'check')).toEqual({ kind: 'models', task: { action: 'check' }, folder });
    const remove = { action: 'remove', pack: 'yunet' };
    expect(read('models', 'remove', 'yunet')).toEqual({ kind: 'models', task: remove, folder });
    const add = { action: 'add', pack: 'yunet', from: 'a.onnx' };
    expect(read('models', 'add', 'yunet', '--from', 'a.onnx', '--folder', 'packs')).toEqual({
      kind: 'models',
      task: add,
      folder: 'packs',
    });
  });

  it('use the server’s folder of packs by default', () => {
    const environment = { VEIL_PACKS: '/packs' };
    expect(parseCommand(['models', 'list'], environment)).toMatchObject({ folder: '/packs' });
    expect(parseCommand(['models', 'list', '--folder=x'], environment)).toMatchObject({ folder: 'x' });
  });

  it('review results, by default with the sources near them and in a browser', () => {
    expect(read('review', 'out')).toMatchObject({
      kind: 'review',
      config: { resultFolder: 'out', sources: [], opensBrowser: true },
    });
    const environment = { VEIL_PACKS: '/packs', VEIL_PORT: '80' };
    expect(
      parseCommand(['review', '--no-open', 'out', 'a', 'b', '--workers', '2'], environment),
    ).toMatchObject({
      kind: 'review',
      config: {
        ...{ resultFolder: 'out', sources: ['a', 'b'], opensBrowser: false },
        settings: { workers: 2, packsFolder: '/packs', logLevel: 'error' },
      },
    });
    expect(() => read('review')).toThrow(FlagError);
    expect(() => read('review', 'out', '--port', '80')).toThrow(FlagError);
    expect(textOf('review', '--help')).toContain('--no-open');
  });

  it('print the version, the licences and a completion script', () => {
    expect(read('--version')).toEqual({ kind: 'version', text: VERSION });
    expect(read('licenses')).toEqual({ kind: 'licenses' });
    expect(textOf('completion')).toMatch(/^###-begin-veil-completions-###[^]*--get-yargs-completions/);
  });

  it('are completed with their flags', () => {
    const completed = (...words: string[]): string[] =>
      textOf('--get-yargs-completions', 'veil', ...words).split('\n');
    expect(completed('mo')).toContain('models');
    expect(completed('rev')).toContain('review');
    expect(completed('review', '--no')).toContain('--no-open');
    expect(completed('models', '')).toEqual(['list', 'add', 'remove', 'check']);
    expect(completed('--po')).toEqual(expect.arrayContaining(['--port', '--no-object-tracking']));
  });

  it('have a help of their own', () => {
    expect(textOf('models', 'add', '--help')).toContain('--from');
    expect(textOf('models', '--help')).not.toContain('--port');
    expect(textOf('--help')).toMatch(/Common flags:[^]*Server flags:[^]*Flags for files and folders:/);
    expect(textOf('--help')).toMatch(/--port +<number> .*\(7000\) \[VEIL_PORT\]/);
  });

  it('are read as files or folders after a path, a dash or another file', () => {
    expect(inputsOf(read('./models', '-o', 'out'))).toEqual(['./models']);
    expect(inputsOf(read('-o', 'out', '--', 'models', '-a.jpg'))).toEqual(['models', '-a.jpg']);
    expect(inputsOf(read('photos', 'models', '-o', 'out'))).toEqual(['photos', 'models']);
    expect(inputsOf(read('007', '1e3', '-o', 'out'))).toEqual(['007', '1e3']);
  });
});

describe('an invalid command is refused in one sentence', () => {
  it.each([
    [['models'], 'Name a command for models: list, add, remove or check; see --help.'],
    [['models', 'frobnicate'], "Unknown command 'frobnicate'; see --help."],
    [['models', 'list', 'x'], "Unknown command 'x'; see --help."],
    [['models', 'add'], 'Name a pack; see --help.'],
    [['models', 'list', '--port', '1'], "Unknown option '--port'; see --help."],
    [['models', 'list', '--from', 'a'], "Unknown option '--from'; see --help."],
    [['licenses', '--json'], "Unknown option '--json'; see --help."],
    [['--removed', 'a'], "Unknown option '--removed'; see --help."],
    [['-x'], "Unknown option '-x'; see --help."],
    [['--x.y=1'], "Unknown option '--x.y'; see --help."],
    [['--insecure=no'], "Option '--insecure' does not take an argument; see --help."],
    [['-a'], "Option '-a, --anonymise <value>' argument missing; see --help."],
    [['--port', '--host', 'a'], "Option '--port' argument is ambiguous; see --help."],
    [['-o', '-a'], "Option '-o' argument is ambiguous; see --help."],
  ])('%j', (args, sentence) => {
    expect(() => read(...args)).toThrow(new FlagError(sentence));
  });
});

describe('a value', () => {
  it('may be in the same word as its flag', () => {
    expect(read('-aface', '-oout', 'photos')).toMatchObject({
      kind: 'batch',
      config: { outputFolder: 'out', classes: ['face'] },
    });
  });

  it('replaces earlier values of the same flag', () => {
    expect(read('--port', '1', '--port=2', '--insecure', '--insecure')).toMatchObject({
      config: { port: 2, insecure: true },
    });
  });

  it('is not changed by parsing', () => {
    expect(read('--input', ' a=b,c ')).toMatchObject({ config: { inputFolder: ' a=b,c ' } });
    expect(read('--input', '0x10', '--output', '1e3')).toMatchObject({
      config: { inputFolder: '0x10', outputFolder: '1e3' },
    });
  });
});

describe('the command migrate', () => {
  const database = 'postgres://db/veil';

  it('names the database users that get rights', () => {
    expect(read('migrate', '--database', database, '--grant-api', 'a', '--grant-worker=w')).toEqual({
      kind: 'migrate',
      database,
      grants: { api: 'a', worker: 'w' },
    });
    expect(parseCommand(['migrate'], { VEIL_DATABASE: database, VEIL_GRANT_WORKER: 'w' })).toMatchObject({
      grants: { worker: 'w' },
    });
    expect(read('migrate', '--database', database)).toMatchObject({ grants: {} });
  });
});

describe('the command import', () => {
  const services = ['--database', 'postgres://db/veil', '--queue', 'redis://queue', '--files', '/files'];

  it('copies the folder of a server that was started without flags, unless another one is named', () => {
    expect(read('import', ...services)).toMatchObject({ kind: 'import', config: { from: '.veil' } });
    expect(read('import', ...services, '--from', '/data')).toMatchObject({ config: { from: '/data' } });
  });

  it('takes the settings with which unfinished tasks are processed', () => {
    const more = ['--save-mask', 'all', '--keep-metadata', '--task-timeout', '30m'];
    expect(read('import', ...services, ...more)).toMatchObject({
      config: { work: { saveMask: 'all', keepMetadata: true, taskTimeoutMs: 1_800_000 } },
    });
  });
});

describe('the command audit', () => {
  it('reads the folders of a server, or the services of a cluster', () => {
    expect(read('audit', '--input', '/in', '--output', '/out')).toMatchObject({
      kind: 'audit',
      config: {
        place: { kind: 'server', folders: { input: '/in', output: '/out' } },
        removes: false,
        isConfirmed: false,
      },
    });
    expect(read('audit', '--database', 'postgres://db/veil', '--files', '/files')).toMatchObject({
      config: { place: { kind: 'cluster', database: 'postgres://db/veil', files: '/files' } },
    });
    expect(() => read('audit', '--files', '/files')).toThrow('Set --database');
  });

  it('removes files only if that is typed', () => {
    expect(read('audit', '--remove', '--confirm-sweep')).toMatchObject({
      config: { removes: true, isConfirmed: true },
    });
    expect(parseCommand(['audit'], { VEIL_REMOVE: 'true' })).toMatchObject({ config: { removes: false } });
  });
});
