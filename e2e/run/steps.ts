import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { type Count, countExit, countPlaywright, countVitest } from './count';
import { findChromium } from './find-chromium';
import { PLAYWRIGHT_REPORT, VITEST_REPORT } from './reports';

/** One thing that `npm test` does. */
export interface Step {
  readonly name: string;
  readonly run: () => Promise<Count>;
}

/** Runs one of our packages' programs with this Node, its output going straight to the terminal. */
const program = (path: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [`node_modules/${path}`, ...args], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    });
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? (signal ? constants.signals[signal] + 128 : 1)));
  });

const tool = (name: string, path: string, ...args: string[]): Step => ({
  name,
  run: async () => countExit(await program(path, args)),
});

const typecheck = (project: string): Step => tool(`types: ${project}`, 'typescript/bin/tsc', '-p', project);

const readReport = async <T>(path: string): Promise<T> => JSON.parse(await readFile(path, 'utf8')) as T;

const vitest = async (): Promise<Count> => {
  await rm(VITEST_REPORT, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${VITEST_REPORT}`];
  const code = await program('vitest/vitest.mjs', ['run', ...reporters]);
  return countVitest(await readReport(VITEST_REPORT), code);
};

const playwright = async (): Promise<Count> => {
  await rm(PLAYWRIGHT_REPORT, { force: true });
  const env = { CHROME_PATH: findChromium() };
  const code = await program('@playwright/test/cli.js', ['test'], env);
  return countPlaywright(await readReport(PLAYWRIGHT_REPORT), code);
};

/** What a machine can say without running the product. */
export const CHECKS: readonly Step[] = [
  ...['shared', 'shared/tsconfig.test.json', 'server', 'web', 'models', 'e2e'].map(typecheck),
  tool('lint', 'eslint/bin/eslint.js', '.', '--max-warnings=0'),
  tool('imports', 'dependency-cruiser/bin/dependency-cruise.mjs', 'shared', 'web', 'server', 'models', 'e2e'),
  tool('format', 'prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'),
  tool('unused code', 'knip/bin/knip.js'),
];

/** The product at work. */
export const TESTS: readonly Step[] = [
  { name: 'tests', run: vitest },
  tool('build of the page', 'vite/bin/vite.js', 'build', '--logLevel=warn'),
  tool(
    'build of the server',
    'vite/bin/vite.js',
    'build',
    '--logLevel=warn',
    '--config=server/vite.config.ts',
  ),
  { name: 'tests in Chromium', run: playwright },
];
