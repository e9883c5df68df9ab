import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Reporter as PlaywrightReporter, TestCase } from '@playwright/test/reporter';
import type { Reporter as VitestReporter, TestModule } from 'vitest/node';
import { RUNNING_TESTS } from './reports';

const nameOf = (test: TestCase | TestModule): string =>
  'titlePath' in test ? test.titlePath().filter(Boolean).join(' › ') : test.relativeModuleId;

/**
 * A reporter for both runners: keeps the names of the running tests, or of Vitest's running files, in a file.
 *
 * Runners print a test when it ends. If one hangs, this file alone says which tests it was running.
 */
export default class RunningTests implements PlaywrightReporter, VitestReporter {
  private readonly names = new Set<string>();
  private readonly path: string;

  constructor({ path = RUNNING_TESTS }: { path?: string }) {
    this.path = path;
    mkdirSync(dirname(path), { recursive: true });
  }

  onTestBegin(test: TestCase | TestModule): void {
    this.names.add(nameOf(test));
    this.write();
  }

  onTestEnd(test: TestCase | TestModule): void {
    this.names.delete(nameOf(test));
    this.write();
  }

  onTestModuleQueued(file: TestModule): void {
    this.onTestBegin(file);
  }

  onTestModuleEnd(file: TestModule): void {
    this.onTestEnd(file);
  }

  private write(): void {
    writeFileSync(this.path, [...this.names].map((name) => `\n  ${name}`).join(''));
  }
}

/** Lines that name the tests that are running, or were when their runner was killed. */
export const runningTests = (path = RUNNING_TESTS): string => {
  const names = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return names === '' ? '' : `\nTests that were running:${names}`;
};
