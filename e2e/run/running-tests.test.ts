import { join } from 'node:path';
import type { TestCase } from '@playwright/test/reporter';
import type { TestModule } from 'vitest/node';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../server/testing/temporary-folder';
import RunningTests, { runningTests } from './running-tests';

it('the tests that are running are known without their runner', () => {
  const path = join(temporaryFolder(), 'test-results/running.txt');
  const [first, second] = ['first', 'second'].map(
    (title) => ({ titlePath: () => ['', 'a project', 'a.spec.ts', title] }) as TestCase,
  ) as [TestCase, TestCase];
  const file = { relativeModuleId: 'a.test.ts' } as TestModule;
  const reporter = new RunningTests({ path });
  expect(runningTests(path)).toBe('');
  reporter.onTestBegin(first);
  reporter.onTestBegin(second);
  reporter.onTestModuleQueued(file);
  reporter.onTestEnd(first);
  expect(runningTests(path)).toBe(
    '\nTests that were running:\n  a project › a.spec.ts › second\n  a.test.ts',
  );
  reporter.onTestEnd(second);
  reporter.onTestModuleEnd(file);
  expect(runningTests(path)).toBe('');
});
