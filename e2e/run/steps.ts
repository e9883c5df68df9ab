import { readFile, rm } from 'node:fs/promises';
import { add, type Count, countExit, countPlaywright, countVitest } from './count';
import { findChromium } from './find-chromium';
import { getClients } from './find-clients';
import { isThis, NODE_VERSIONS, nodeProgram } from './node-versions';
import { LIMITS, type Print, program, type Surroundings } from './program';
import { COMPONENTS_REPORT, PLAYWRIGHT_REPORT, RUNNING_TESTS, SERVER_LOGS, VITEST_REPORT } from './reports';
import { runningTests } from './running-tests';
import { SLOW_TAG } from './slow-tag';

/** One step of `npm test`. */
export interface Step {
  readonly name: string;
  readonly run: (print: Print) => Promise<Count>;
}

const tool = (name: string, path: string, ...args: string[]): Step => ({
  name,
  run: async (print) => countExit(await program(`node_modules/${path}`, args, print)),
});

const build = (name: string, config: string): Step =>
  tool(`build: ${name}`, 'vite/bin/vite.js', 'build', '--logLevel=warn', `--config=${config}`);

const readReport = async <T>(path: string): Promise<T> => JSON.parse(await readFile(path, 'utf8')) as T;

/** Runs a test runner. If it hangs, its running tests are named. */
const testRunner: typeof program = async (path, args, print, surroundings) => {
  await rm(RUNNING_TESTS, { force: true });
  return program(path, args, print, { ...surroundings, status: runningTests });
};

const vitest = async (
  print: Print,
  report: string,
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<Count> => {
  await rm(report, { force: true });
  const reporters = ['default', 'json', './e2e/run/running-tests.ts'].map((name) => `--reporter=${name}`);
  const options = [...args, ...reporters, `--outputFile.json=${report}`];
  const code = await testRunner('node_modules/vitest/vitest.mjs', ['run', ...options], print, surroundings);
  return countVitest(await readReport(report), code);
};

/** @param args of Vitest */
const components = (...args: readonly string[]): Step => ({
  name: 'tests of components in Chromium',
  run: (print) => {
    findChromium();
    return vitest(print, COMPONENTS_REPORT, ['--config', 'vitest.browser.config.ts', ...args]);
  },
});

const playwright = async (
  print: Print,
  args: readonly string[],
  { env = {}, ...surroundings }: Surroundings = {},
): Promise<Count> => {
  await rm(PLAYWRIGHT_REPORT, { force: true });
  const CHROME_PATH = findChromium();
  getClients();
  const code = await testRunner('node_modules/@playwright/test/cli.js', ['test', ...args], print, {
    ...surroundings,
    env: { CHROME_PATH, ...env },
  });
  if (code !== 0) print(`The servers' logs are in ${SERVER_LOGS}.\n`);
  return countPlaywright(await readReport(PLAYWRIGHT_REPORT), code);
};

/** Static checks, which do not run the product. They run in parallel, the longest ones first. */
export const CHECKS: readonly Step[] = [
  // Checks the types too, so that they are read once.
  tool('lint and types', 'oxlint/bin/oxlint'),
  tool('imports', 'dependency-cruiser/bin/dependency-cruise.mjs', 'shared', 'web', 'server', 'models', 'e2e'),
  tool('unused code', 'knip/bin/knip.js'),
  tool('format', 'oxfmt/bin/oxfmt', '--check'),
];

/** Tests with the tag `slow` are rare cases of rules whose usual cases others test, and kills by the dozen. */
const WITHOUT_SLOW = `--tags-filter=!${SLOW_TAG.name}`;

/** Unit tests, which start the server too, and a photo in the page and on the server, by another version of Node. */
const testsOnNode = (version: number): Step => ({
  name: `tests on Node ${version}`,
  run: async (print) => {
    const node = nodeProgram(version);
    const units = await vitest(print, VITEST_REPORT, [WITHOUT_SLOW], { node });
    return add(units, await playwright(print, ['main-job'], { node }));
  },
});

const builds: readonly Step[] = [build('page', 'vite.config.ts'), build('server', 'server/vite.config.ts')];

/** Tests that run the product, one after another. */
export const TESTS: readonly Step[] = [
  { name: 'tests', run: (print) => vitest(print, VITEST_REPORT, [WITHOUT_SLOW]) },
  components(WITHOUT_SLOW),
  ...builds,
  { name: 'tests in Chromium', run: (print) => playwright(print, ['--grep-invert=@slow']) },
];

/** See `shared/testing/random-cases.ts`. */
const ALL_CASES = { VEIL_ALL_CASES: '1' };

const FULL_LIMITS = { ...LIMITS, runMs: 8 * LIMITS.runMs };

/** The same with the slow ones, and on the other supported versions of Node. */
export const FULL_TESTS: readonly Step[] = [
  {
    name: 'all tests',
    run: (print) => vitest(print, VITEST_REPORT, [], { env: ALL_CASES, limits: FULL_LIMITS }),
  },
  components(),
  ...builds,
  {
    name: 'all tests in Chromium',
    run: (print) => playwright(print, [], { env: { ...ALL_CASES, VEIL_KILLS: '50' }, limits: FULL_LIMITS }),
  },
  ...NODE_VERSIONS.filter((version) => !isThis(version)).map(testsOnNode),
];
