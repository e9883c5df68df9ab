import type { FullConfig, Reporter, Suite, TestCase } from '@playwright/test/reporter';
import { SPEC_ROWS } from '#shared/testing/spec-rows';
import { type Host, HOSTS } from './hosts';

const SPEC = /conformance\.spec\.ts$/;
const MARKS: Readonly<Record<ReturnType<TestCase['outcome']>, string>> = {
  expected: '✓',
  unexpected: '✗',
  flaky: '✗',
  skipped: '–',
};

type Marks = Partial<Record<Host, string>>;

const printRow = (marks: Marks, text: string): void =>
  console.log(`${HOSTS.map((host) => (marks[host] ?? '·').padEnd(host.length)).join(' ')} ${text}`);

/** A host keeps a row of the contract where it keeps every rule that stands for it. */
const marksOfRow = (rules: ReadonlyMap<string, Marks>, wanted: RegExp): Marks => {
  const cases = [...rules].filter(([rule]) => wanted.test(rule)).map(([, marks]) => marks);
  const ofHost = (host: Host): string | undefined => {
    const marks = cases.flatMap((each) => each[host] ?? []);
    return marks.find((mark) => mark !== MARKS.expected) ?? marks[0];
  };
  return Object.fromEntries(
    HOSTS.flatMap((host) => {
      const mark = ofHost(host);
      return mark === undefined ? [] : [[host, mark]];
    }),
  );
};

/** Shows which host keeps which rule of the API, and which row of the contract: a column for each host. */
export default class MatrixReporter implements Reporter {
  private tests: readonly TestCase[] = [];

  onBegin(_config: FullConfig, suite: Suite): void {
    this.tests = suite.allTests().filter(({ location }) => SPEC.test(location.file));
  }

  onEnd(): void {
    if (this.tests.length === 0) return;
    const rules = new Map<string, Marks>();
    for (const test of this.tests) {
      const host = HOSTS.find((name) => name === test.parent.title);
      if (host) rules.set(test.title, { ...rules.get(test.title), [host]: MARKS[test.outcome()] });
    }
    console.log(`\n${HOSTS.join(' ')}`);
    for (const [rule, marks] of rules) printRow(marks, rule);
    for (const [table, rows] of Object.entries(SPEC_ROWS)) {
      console.log(`\n${HOSTS.join(' ')} ${table}`);
      for (const [row, wanted] of rows) printRow(marksOfRow(rules, wanted), row);
    }
  }
}
