import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { STANDARD_HOST } from './shared/testing/conformance';
import { installedChromium, NO_CHROMIUM } from './e2e/run/find-chromium';
import { PLAYWRIGHT_REPORT } from './e2e/run/reports';
import { flagsFor } from './e2e/support/host-flags';
import { freePort } from './e2e/support/free-port';

const executablePath = installedChromium();
if (!executablePath) throw new Error(NO_CHROMIUM);

// This file is read again by each worker; the first reading decides.
const isFirstReading = !process.env['VEIL_E2E_PORT'];
const port = (process.env['VEIL_E2E_PORT'] ??= String(await freePort()));
const folder = (process.env['VEIL_E2E_FOLDER'] ??= mkdtempSync(join(tmpdir(), 'veil-e2e-')));
if (isFirstReading) process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const origin = `http://127.0.0.1:${port}`;
const server = ['server/bin/veil.mjs', '--port', port, ...flagsFor(STANDARD_HOST)];
const folders = ['--input', join(folder, 'input'), '--output', join(folder, 'output')];

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/playwright',
  // The same on every system: see `e2e/support/looks.ts`.
  snapshotPathTemplate: '{testDir}/looks/{arg}{ext}',
  // Two cores, and each picture keeps both busy.
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list'], ['json', { outputFile: PLAYWRIGHT_REPORT }], ['./e2e/support/matrix-reporter.ts']],
  use: {
    baseURL: origin,
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath,
      chromiumSandbox: process.getuid?.() !== 0,
      // The browser's own errands would show up as requests of ours, or wait for a network that is not there.
      args: ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-pings'],
    },
  },
  webServer: {
    command: [process.execPath, ...server, ...folders].map((part) => JSON.stringify(part)).join(' '),
    url: origin,
    timeout: 180_000,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
  },
});
