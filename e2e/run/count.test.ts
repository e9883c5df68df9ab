import { describe, expect, it } from 'vitest';
import { countExit, countPlaywright, countVitest, NOTHING, summary } from './count';

const vitest = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [] };
const playwright = { stats: { expected: 4, unexpected: 0, flaky: 0, skipped: 2 }, errors: [], suites: [] };

describe('the counts of npm test', () => {
  it('have one check for a tool without tests', () => {
    expect(countExit(0)).toEqual({ ...NOTHING, passed: 1, failed: 0, skipped: 0 });
    expect(countExit(2)).toEqual({ ...NOTHING, passed: 0, failed: 1, skipped: 0 });
  });

  it('take the numbers from a test report', () => {
    expect(countVitest(vitest, 0)).toEqual({ ...NOTHING, passed: 5, failed: 0, skipped: 2 });
    expect(countPlaywright(playwright, 0)).toEqual({ ...NOTHING, passed: 4, failed: 0, skipped: 2 });
  });

  it('have one failure for a test file that cannot be loaded', () => {
    const testResults = [
      { name: 'a.test.ts', status: 'failed', assertionResults: [] },
      {
        name: 'b.test.ts',
        status: 'failed',
        assertionResults: [{ status: 'failed', title: 'a rule', fullName: 'a rule' }],
      },
    ];
    const count = countVitest({ ...vitest, numFailedTests: 1, testResults }, 1);
    expect(count.failed).toBe(2);
    expect(count.failures).toEqual(['a.test.ts', 'b.test.ts: a rule']);
  });

  it('have one failure for a non-zero exit code without a failed test in the report', () => {
    expect(countVitest(vitest, 1).failed).toBe(1);
    expect(countPlaywright(playwright, 1).failed).toBe(1);
  });

  it('have a failure for a flaky test and for an error outside any test', () => {
    const report = { ...playwright, stats: { ...playwright.stats, flaky: 1 }, errors: [{}] };
    expect(countPlaywright(report, 1).failed).toBe(2);
  });

  it('name the failed tests in Chromium, including flaky ones', () => {
    const spec = (title: string, ok: boolean, status: string) => ({ title, ok, tests: [{ status }] });
    const inner = { title: 'a group', specs: [spec('fails', false, 'unexpected')] };
    const specs = [spec('passes', true, 'expected'), spec('wavers', true, 'flaky')];
    const suites = [{ title: 'a.spec.ts', specs, suites: [inner] }];
    expect(countPlaywright({ ...playwright, suites }, 1).failures).toEqual([
      'a.spec.ts: wavers',
      'a group: fails',
    ]);
  });

  it('show the reason of a failed test in a few lines without colours', () => {
    const message = `\u001b[31mExpected: 1\u001b[39m\n\nReceived: 2\n${'more\n'.repeat(50)}`;
    const told = /^a\.spec\.ts: fails\n {2}Expected: 1\n {2}Received: 2\n( {2}more\n?){10}$/;
    const tests = [{ status: 'unexpected', results: [{}, { errors: [{ message }] }] }];
    const suites = [{ title: 'a.spec.ts', specs: [{ title: 'fails', ok: false, tests }] }];
    const assertionResults = [
      { status: 'failed', title: 'fails', fullName: 'fails', failureMessages: [message] },
    ];
    const testResults = [{ name: 'a.spec.ts', status: 'failed', assertionResults }];
    for (const { failures } of [
      countPlaywright({ ...playwright, suites }, 1),
      countVitest({ ...vitest, testResults }, 1),
    ]) {
      expect(failures).toEqual([expect.stringMatching(told)]);
    }
  });

  it('show all errors of a failed test in Chromium', () => {
    const tests = [{ status: 'unexpected', results: [{ errors: [{ message: 'One' }, { message: 'Two' }] }] }];
    const suites = [{ title: 'a.spec.ts', specs: [{ title: 'fails', ok: false, tests }] }];
    expect(countPlaywright({ ...playwright, suites }, 1).failures).toEqual([
      'a.spec.ts: fails\n  One\n  Two',
    ]);
  });

  it('end with one line, which names skipped tests only if there are any', () => {
    expect(summary({ ...NOTHING, passed: 3, failed: 1, skipped: 0 })).toBe('3 passed, 1 failed');
    expect(summary({ ...NOTHING, passed: 3, failed: 0, skipped: 2 })).toBe('3 passed, 0 failed, 2 skipped');
  });
});
