import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildProgram } from './testing/built-program';
import { temporaryFolder } from './testing/temporary-folder';

const REPOSITORY = join(import.meta.dirname, '..');
const CLOSED_PIPE = 141;
const TSX = ['--import', 'tsx'];

interface Command {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Node with stdout in a real pipe. @param reader shell command that reads the pipe */
const pipe = (reader: string, args: readonly string[], isStderrPiped = false): Command => {
  const folder = temporaryFolder();
  const status = join(folder, 'status');
  const quoted = [process.execPath, ...args].map((arg) => `'${arg}'`).join(' ');
  const command = `{ ${quoted} ${isStderrPiped ? '2>&1' : ''}; echo $? > '${status}'; } | ${reader}`;
  const { stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: REPOSITORY, encoding: 'utf8' });
  return { status: Number(readFileSync(status, 'utf8')), stdout, stderr };
};

/** A command that prints without end. */
const endless = (stream: 'stdout' | 'stderr', listener = ''): string => {
  const path = join(temporaryFolder(), 'endless.mts');
  const source = JSON.stringify(join(REPOSITORY, 'server/end-when-output-closes.ts'));
  writeFileSync(
    path,
    `import { endWhenOutputCloses } from ${source};
endWhenOutputCloses(${listener});
setInterval(() => process.${stream}.write('a line\\n'), 1);`,
  );
  return path;
};

describe('a command whose output is closed', () => {
  it('ends without a stack trace', () => {
    const expected = { status: CLOSED_PIPE, stdout: 'a line\n', stderr: '' };
    expect(pipe('head -1', [...TSX, endless('stdout')])).toEqual(expected);
  });

  it('ends if only standard error was a pipe', () => {
    const expected = { status: CLOSED_PIPE, stdout: 'a line\n', stderr: '' };
    expect(pipe('head -1', [...TSX, endless('stderr')], true)).toEqual(expected);
  });

  it('may handle its own end, which is requested only once', () => {
    const later = `() => { process.exitCode = (process.exitCode ?? 6) + 1; setTimeout(() => process.exit(), 50); }`;
    expect(pipe('head -1', [...TSX, endless('stdout', later)])).toMatchObject({ status: 7, stderr: '' });
  });
});

describe('each command of the product', () => {
  const { scripts } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const sources = Object.entries(scripts).flatMap(([name, script]) => {
    const [, path] = /^tsx (\S+)/.exec(script) ?? [];
    return path === undefined ? [] : [{ name, path }];
  });

  it.each(sources)('$name ends when its output closes', ({ path }) => {
    expect(readFileSync(join(REPOSITORY, path), 'utf8')).toMatch(/^endWhenOutputCloses\(\);$/m);
  });

  const rule = '%s prints no stack trace into a closed pipe';
  const endsQuietly = (_name: string, args: readonly string[]): void => {
    expect(pipe('true', args)).toEqual({ status: CLOSED_PIPE, stdout: '', stderr: '' });
  };
  // The test before requires the same call of all scripts.
  it.each([
    ['models -- list', [...TSX, 'models/packs/main.ts', 'list']],
    ['eval -- with a set', [...TSX, 'models/eval/eval.ts', '--set', 'coco128', '--limit', '1']],
  ] as const)(rule, { tags: ['slow'] }, endsQuietly);

  it.each(['--help', '--version'])('veil %s prints no stack trace into a closed pipe', async (flag) => {
    const program = await buildProgram();
    onTestFinished(() => program.remove());
    endsQuietly('', [program.launcher, flag]);
  });
});
