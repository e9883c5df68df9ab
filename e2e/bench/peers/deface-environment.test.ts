import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareDeface, type Start } from './deface-environment';

/** Problems of the simulated machine. */
type Flaw = 'no python' | 'no venv' | 'no network' | 'missing library' | 'other version';

let parent = '';
let folder = '';
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'veil-peers-'));
  folder = join(parent, 'deface');
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

/** A simulated machine on which Python only creates folders. @param done receives the commands */
const machine =
  (flaw?: Flaw, done: string[] = []): Start =>
  (file, args) => {
    const line = args.join(' ');
    done.push(line);
    const fails = (output: string) => Promise.resolve({ isDone: false, output: `Traceback\n${output}\n` });
    const succeeds = (output: string) => Promise.resolve({ isDone: true, output: `${output}\n\n` });
    if (flaw === 'no python' && !file.includes(parent)) return fails('');
    if (line.startsWith('-m venv')) {
      if (flaw === 'no venv') return fails('No module named venv');
      mkdirSync(join(args[2] ?? '', 'bin'), { recursive: true });
    }
    if (line.includes('pip install') && flaw === 'no network') return fails('ERROR: no such package');
    if (!line.includes('import deface')) return succeeds('');
    if (!existsSync(join(file, '..'))) return fails('not found');
    if (flaw === 'missing library') return fails('ImportError: libGL.so.1');
    return succeeds(flaw === 'other version' ? '1.4.0' : '1.5.0');
  };
const prepare = (start: Start) => prepareDeface(folder, () => undefined, start);

describe('the virtual environment of deface', () => {
  it('gets its final name only once it is complete', async () => {
    const done: string[] = [];
    const { python } = (await prepare(machine(undefined, done))) as { python: string };
    expect(python.startsWith(folder)).toBe(true);
    expect(readdirSync(parent)).toEqual(['deface']);
    expect(done).toContain(`-m venv ${folder}.unfinished`);
  });

  it('is created once', async () => {
    await prepare(machine());
    const done: string[] = [];
    expect(await prepare(machine(undefined, done))).toHaveProperty('python');
    expect(done.filter((line) => line.includes('pip install'))).toEqual([]);
  });

  it('is created again if it no longer starts', async () => {
    mkdirSync(folder);
    expect(await prepare(machine())).toHaveProperty('python');
    expect(readdirSync(folder)).toEqual(['bin']);
  });

  it.each([
    ['no python', 'there is no Python 3.8 or later (python3, python) on the PATH'],
    ['no venv', 'python3 cannot make a virtual environment (No module named venv)'],
    ['no network', 'pip cannot install deface==1.5.0 (ERROR: no such package)'],
    ['missing library', 'it does not start (ImportError: libGL.so.1)'],
    ['other version', 'its version is not 1.5.0 (1.4.0)'],
  ] as const)('is reported as missing in one sentence, and removed: %s', async (flaw, reason) => {
    expect(await prepare(machine(flaw))).toEqual({ problem: `deface is left out: ${reason}.` });
    expect(readdirSync(parent)).toEqual([]);
  });
});
