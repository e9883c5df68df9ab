import { readFileSync } from 'node:fs';
import type { FullConfig, Reporter, Suite, TestCase } from '@playwright/test/reporter';
import { CONFORMANCE_CASES } from '#shared/testing/conformance-cases';
import { SPEC_ROWS } from '#shared/testing/spec-rows';
import { type VitestReport } from '../run/count';
import { VITEST_REPORT } from '../run/reports';
import { type Host, HOSTS } from './hosts';

const PAGE_TESTS = /conformance\.spec\.ts$/;
const SERVER_TESTS = /e2e[/\\]conformance\.test\.ts$/;
const KEPT = '✓';
const MARKS: Readonly<Record<ReturnType<TestCase['outcome']>, string>> = {
  expected: KEPT,
  unexpected: '✗',
  flaky: '✗',
  skipped: '–',
};

type Marks = Partial<Record<Host, string>>;

const printRow = (marks: Marks, text: string): void =>
  console.log(`${HOSTS.map((host) => (marks[host] ?? '·').padEnd(host.length)).join(' ')} ${text}`);

/** A host fulfils a row of the contract if it fulfils every rule of that row. */
const marksOfRow = (rules: ReadonlyMap<string, Marks>, wanted: RegExp): Marks => {
  const cases = [...rules].filter(([rule]) => wanted.test(rule)).map(([, marks]) => marks);
  const ofHost = (host: Host): string | undefined => {
    const marks = cases.flatMap((each) => each[host] ?? []);
    return marks.find((mark) => mark !== KEPT) ?? marks[0];
  };
  return Object.fromEntries(
    HOSTS.flatMap((host) => {
      const mark = ofHost(host);
      return mark === undefined ? [] : [[host, mark]];
    }),
  );
};

/** Results of the server's tests in the step before; empty if that step did not run. */
const readServerMarks = (): ReadonlyMap<string, string> => {
  try {
    const { testResults } = JSON.parse(readFileSync(VITEST_REPORT, 'utf8')) as VitestReport;
    const results = testResults.find(({ name }) => SERVER_TESTS.test(name))?.assertionResults ?? [];
    return new Map(
      results.map(({ fullName, status }) => [fullName, status === 'passed' ? KEPT : MARKS.unexpected]),
    );
  } catch {
    return new Map();
  }
};

/**
 * Prints which host fulfils which rule of the API and which row of the contract, with a column for each host.
 *
 * The server's column is from the last `npm run test:unit`.
 */
export default class MatrixReporter implements Reporter {
  private tests: readonly TestCase[] = [];

  onBegin(_config: FullConfig, suite: Suite): void {
    this.tests = suite.allTests().filter(({ location }) => PAGE_TESTS.test(location.file));
  }

  onEnd(): void {
    if (this.tests.length === 0) return;
    const server = readServerMarks();
    const page = new Map(this.tests.map((test) => [test.title, MARKS[test.outcome()]]));
    const marksOf = (rule: string): Marks => {
      const marks = { server: server.get(rule), page: page.get(rule) };
      return Object.fromEntries(Object.entries(marks).filter(([, mark]) => mark !== undefined));
    };
    const rules = new Map(CONFORMANCE_CASES.map(({ rule }) => [rule, marksOf(rule)]));
    console.log(`\n${HOSTS.join(' ')}`);
    for (const [rule, marks] of rules) printRow(marks, rule);
    for (const [table, rows] of Object.entries(SPEC_ROWS)) {
      console.log(`\n${HOSTS.join(' ')} ${table}`);
      for (const [row, wanted] of rows) printRow(marksOfRow(rules, wanted), row);
    }
  }
}
