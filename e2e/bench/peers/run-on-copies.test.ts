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

/** A program of one line of JavaScript, in which `files` are its arguments. */
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

describe('a program that is measured', () => {
  it('gets copies, so that what it writes beside its sources goes with them', async () => {
    const { seconds } = await run(`for (const file of files) fs.writeFileSync(file + '-hidden', '')`);
    expect(seconds).toBeGreaterThan(0);
    expect(readdirSync(folder)).toEqual(['a.jpg', 'b.jpg']);
  });

  it('has failed where it leaves a file out without a word', async () => {
    await expect(run(`fs.writeFileSync(files[0] + '-hidden', '')`)).rejects.toThrow('it wrote 1 of 2 files');
  });

  it('has failed with the last line of what it said', async () => {
    const script = `console.error('Trace\\n  line 1\\nno memory is left\\n'); process.exit(3)`;
    await expect(run(script)).rejects.toThrow(/^no memory is left$/);
  });

  it('has failed with its code where it said nothing', async () => {
    await expect(run('process.exit(3)')).rejects.toThrow('it ended with code 3');
  });

  it('does not see the settings of Veil of whoever runs the comparison', async () => {
    vi.stubEnv('VEIL_METHOD', 'blacken');
    const { output } = await run(
      `for (const file of files) fs.writeFileSync(file + '-hidden', ''); console.log(process.env.VEIL_METHOD)`,
    );
    vi.unstubAllEnvs();
    expect(output.trim()).toBe('undefined');
  });
});
