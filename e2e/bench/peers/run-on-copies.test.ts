import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Program } from './programs';
import { runOnCopies } from './run-on-copies';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'veil-peers-'));
  for (const name of ['a.jpg', 'b.jpg']) writeFileSync(join(folder, name), name);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A program made of one line of JavaScript, with its arguments in `files`. */
const program = (script: string): Program => ({
  name: 'program',
  isReference: false,
  command: (files) => ({
    file: process.execPath,
    args: ['-e', `const files = process.argv.slice(1); const fs = require('node:fs'); ${script}`, ...files],
  }),
});
const run = (script: string) =>
  runOnCopies(
    program(script),
    readdirSync(folder).map((name) => join(folder, name)),
  );

describe('a measured program', () => {
  it('gets copies of the files, so that files written next to them are removed with them', async () => {
    const { seconds } = await run(`for (const file of files) fs.writeFileSync(file + '-hidden', '')`);
    expect(seconds).toBeGreaterThan(0);
    expect(readdirSync(folder)).toEqual(['a.jpg', 'b.jpg']);
  });

  it('has failed if it silently skips a file', async () => {
    await expect(run(`fs.writeFileSync(files[0] + '-hidden', '')`)).rejects.toThrow('it wrote 1 of 2 files');
  });

  it('has failed with the last line of its output', async () => {
    const script = `console.error('Trace\\n  line 1\\nno memory is left\\n'); process.exit(3)`;
    await expect(run(script)).rejects.toThrow(/^no memory is left$/);
  });

  it('has failed with its exit code if it printed nothing', async () => {
    await expect(run('process.exit(3)')).rejects.toThrow('it ended with code 3');
  });

  it('does not see the user’s own settings of Veil', async () => {
    vi.stubEnv('VEIL_METHOD', 'blacken');
    const { output } = await run(
      `for (const file of files) fs.writeFileSync(file + '-hidden', ''); console.log(process.env.VEIL_METHOD)`,
    );
    vi.unstubAllEnvs();
    expect(output.trim()).toBe('undefined');
  });
});
