import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../server/testing/temporary-folder';
import { LIMITS, program, type Surroundings } from './program';

/** Runs a script. @returns its result, and a function that waits until it has printed a text */
const run = (script: string, surroundings: Surroundings = {}) => {
  const path = join(temporaryFolder(), 'script.mjs');
  writeFileSync(path, script);
  let output = '';
  let check = (): void => undefined;
  const print = (text: string): void => {
    output += text;
    check();
  };
  const result = program(path, [], print, surroundings);
  result.catch(() => undefined);
  const printed = (pattern: RegExp): Promise<string> =>
    new Promise((resolve) => {
      check = () => {
        const [found] = pattern.exec(output) ?? [];
        if (found !== undefined) resolve(found);
      };
      check();
    });
  return { result, printed };
};

const HANGS = `console.log('started');
  setInterval(() => {}, 60_000);`;

/** Leaves a process behind that hangs, with the same output. */
const STARTS_ANOTHER = `import { spawn } from 'node:child_process';
  const stdio = ['ignore', 'inherit', 'inherit'];
  const other = spawn(process.execPath, ['--eval', ${JSON.stringify(HANGS)}], { detached: true, stdio });`;

/** The limits then pass at once. */
const useFakeTimers = (): void => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
};

describe('a program of a step', () => {
  it('is interrupted if it hangs, and named with what it was doing', async () => {
    useFakeTimers();
    const script = `process.on('SIGINT', () => process.exit(0)); ${HANGS}`;
    const { result, printed } = run(script, { status: () => ' It was doing this.' });
    await printed(/started/);
    vi.advanceTimersByTime(LIMITS.runMs);
    await expect(result).rejects.toThrow(
      'Ended after 45 minutes, the last 45 of them without output. It was doing this.',
    );
  });

  // The processes that it has started are not known elsewhere.
  it.runIf(process.platform === 'linux')(
    'is killed with all that it has started if it hangs on',
    async () => {
      useFakeTimers();
      const { result, printed } = run(
        `process.on('SIGINT', () => console.log('interrupted')); ${STARTS_ANOTHER}`,
      );
      await printed(/started/);
      vi.advanceTimersByTime(LIMITS.runMs);
      await printed(/interrupted/);
      vi.advanceTimersByTime(LIMITS.stopMs);
      // Only when both have ended: they share the output, and no time passes that would close it.
      await expect(result).rejects.toThrow('Ended after 45 minutes');
    },
  );

  it('has ended even if a process that it has left behind keeps its output open', async () => {
    const script = `${STARTS_ANOTHER} console.log('other', other.pid); process.exit(3);`;
    const { result, printed } = run(script, { limits: { ...LIMITS, outputMs: 1 } });
    const [, pid] = (await printed(/other \d+/)).split(' ');
    onTestFinished(() => void process.kill(Number(pid), 'SIGKILL'));
    expect(await result).toBe(3);
  });

  it('fails with the name of the signal that ended it', async () => {
    const { result } = run(`process.kill(process.pid, 'SIGKILL');`, { status: () => ' It was doing this.' });
    await expect(result).rejects.toThrow('Ended by SIGKILL. It was doing this.');
  });
});
