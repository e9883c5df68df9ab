import type { FullConfig, Reporter, Suite, TestCase } from '@playwright/test/reporter';
import { type Host, HOSTS } from './hosts';

const SPEC = /conformance\.spec\.ts$/;
const MARKS: Readonly<Record<ReturnType<TestCase['outcome']>, string>> = {
  expected: '✓',
  unexpected: '✗',
  flaky: '✗',
  skipped: '–',
};

/** Shows which host keeps which rule of the API: a row for each rule, a column for each host. */
export default class MatrixReporter implements Reporter {
  private tests: readonly TestCase[] = [];

  onBegin(_config: FullConfig, suite: Suite): void {
    this.tests = suite.allTests().filter(({ location }) => SPEC.test(location.file));
  }

  onEnd(): void {
    if (this.tests.length === 0) return;
    const rules = new Map<string, Partial<Record<Host, string>>>();
    for (const test of this.tests) {
      const host = HOSTS.find((name) => name === test.parent.title);
      if (host) rules.set(test.title, { ...rules.get(test.title), [host]: MARKS[test.outcome()] });
    }
    console.log(`\n${HOSTS.join(' ')}`);
    for (const [rule, marks] of rules) {
      console.log(`${HOSTS.map((host) => (marks[host] ?? '·').padEnd(host.length)).join(' ')} ${rule}`);
    }
  }
}
