import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../server/testing/temporary-folder';
import { chromiumPath, requireChromium } from './find-chromium';

const REPOSITORY = join(import.meta.dirname, '../..');
const HIDE_CHROMIUM = join(import.meta.dirname, 'test/hide-chromium.mjs');
const CONFIGURATION_FILES = [
  'playwright.config.ts',
  'vitest.browser.config.ts',
  'vitest.config.ts',
  'vite.config.ts',
  'server/vite.config.ts',
];

/** Runs Node with an environment in which no Chromium can be found. */
const nodeWithoutChromium = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  spawnSync(process.execPath, ['--import', HIDE_CHROMIUM, ...args], {
    cwd: REPOSITORY,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', TSX_DISABLE_CACHE: '1', ...env },
  });

/** Imports a file, and prints changes that it made to the process. Some packages set variables of their own. */
const importing = (file: string): string => `
  const before = Object.keys(process.env);
  await import(${JSON.stringify(join(REPOSITORY, file))});
  console.log(JSON.stringify({
    variables: Object.keys(process.env).filter((name) => !before.includes(name) && /^(VEIL|CHROME)_/.test(name)),
  }));`;

describe('on a machine without Chromium', { tags: ['slow'] }, () => {
  it.each(CONFIGURATION_FILES)('%s is imported without an error and without side effects', (file) => {
    const folder = temporaryFolder();
    const script = ['--import', 'tsx', '--input-type=module', '--eval', importing(file)];
    const { status, stdout, stderr } = nodeWithoutChromium(script, { TMPDIR: folder });
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({ variables: [] });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('the check for unused code passes', () => {
    const { status, stdout, stderr } = nodeWithoutChromium(['node_modules/knip/bin/knip.js']);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it.each([
    ['Playwright', ['node_modules/@playwright/test/cli.js', 'test', 'first-load']],
    ['Vitest', ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.browser.config.ts']],
  ])('browser tests that %s runs end with a sentence that explains what to do', (_runner, args) => {
    const { status, stdout, stderr } = nodeWithoutChromium(args);
    expect(status).toBe(1);
    expect(stdout + stderr).toContain('No Chromium: set CHROME_PATH to one, or run');
  });
});

describe('the Chromium that tests start', () => {
  const [existing, missing] = [HIDE_CHROMIUM, join(import.meta.dirname, 'no-such-file')];

  beforeEach(() => {
    vi.stubEnv('CHROME_PATH', undefined);
    return () => vi.unstubAllEnvs();
  });

  it('is the first candidate that exists', () => {
    expect(chromiumPath([missing, existing])).toBe(existing);
    expect(requireChromium([missing, existing])).toBe(existing);
  });

  it('is missing if no candidate exists, and only the start of a browser fails', () => {
    expect(chromiumPath([missing])).toBeUndefined();
    expect(() => requireChromium([missing])).toThrow('No Chromium: set CHROME_PATH to one');
  });

  it('is the one that CHROME_PATH names, and is not replaced if that file is missing', () => {
    vi.stubEnv('CHROME_PATH', missing);
    expect(chromiumPath([existing])).toBe(missing);
    expect(() => requireChromium([existing])).toThrow(`CHROME_PATH names no file: ${missing}`);
  });
});
