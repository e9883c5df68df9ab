import { readFileSync } from 'node:fs';
import type { FullConfig, Reporter, Suite, TestCase } from '@playwright/test/reporter';
import { CONFORMANCE_CASES } from '#shared/testing/conformance-cases';
import { SPEC_ROWS } from '#shared/testing/spec-rows';
import { type VitestReport } from '../run/count';
import { VITEST_REPORT } from '../run/reports';
import { HOSTS } from './hosts';

const PAGE_TESTS = /conformance\.spec\.ts$/;
/** Columns whose tests need no browser, with their files. */
const WITHOUT_BROWSER = {
  server: /e2e[/\\]conformance\.test\.ts$/,
  cluster: /e2e[/\\]cluster[/\\]conformance\.test\.ts$/,
} as const;
const COLUMNS = [...HOSTS, 'cluster'] as const;
type Column = (typeof COLUMNS)[number];
const KEPT = '✓';
const MARKS: Readonly<Record<ReturnType<TestCase['outcome']>, string>> = {
  expected: KEPT,
  unexpected: '✗',
  flaky: '✗',
  skipped: '–',
};

type Marks = Partial<Record<Column, string>>;

const printRow = (marks: Marks, text: string): void =>
  console.log(`${COLUMNS.map((column) => (marks[column] ?? '·').padEnd(column.length)).join(' ')} ${text}`);

/** A host fulfils a row of the contract if it fulfils every rule of that row. */
const marksOfRow = (rules: ReadonlyMap<string, Marks>, wanted: RegExp): Marks => {
  const cases = [...rules].filter(([rule]) => wanted.test(rule)).map(([, marks]) => marks);
  const ofColumn = (column: Column): string | undefined => {
    const marks = cases.flatMap((each) => each[column] ?? []);
    return marks.find((mark) => mark !== KEPT) ?? marks[0];
  };
  return Object.fromEntries(
    COLUMNS.flatMap((column) => {
      const mark = ofColumn(column);
      return mark === undefined ? [] : [[column, mark]];
    }),
  );
};

/** A result of Vitest. Tests with a cluster are skipped without its services. */
const markOf = (status: string): string => {
  if (status === 'passed') return KEPT;
  return status === 'failed' ? MARKS.unexpected : MARKS.skipped;
};

/** Results of tests in the step before; empty if that step did not run. */
const readMarks = (file: RegExp): ReadonlyMap<string, string> => {
  try {
    const { testResults } = JSON.parse(readFileSync(VITEST_REPORT, 'utf8')) as VitestReport;
    const results = testResults.find(({ name }) => file.test(name))?.assertionResults ?? [];
    return new Map(results.map(({ title, status }) => [title, markOf(status)]));
  } catch {
    return new Map();
  }
};

/**
 * Prints which host fulfils which rule of the API and which row of the contract, with a column for each host. A cluster
 * is a server of several processes.
 *
 * The columns of server and cluster are from the last `npm run test:unit`.
 */
export default class MatrixReporter implements Reporter {
  private tests: readonly TestCase[] = [];

  onBegin(_config: FullConfig, suite: Suite): void {
    this.tests = suite.allTests().filter(({ location }) => PAGE_TESTS.test(location.file));
  }

  onEnd(): void {
    if (this.tests.length === 0) return;
    const server = readMarks(WITHOUT_BROWSER.server);
    const cluster = readMarks(WITHOUT_BROWSER.cluster);
    const page = new Map(this.tests.map((test) => [test.title, MARKS[test.outcome()]]));
    const marksOf = (rule: string): Marks => {
      const marks = { server: server.get(rule), cluster: cluster.get(rule), page: page.get(rule) };
      return Object.fromEntries(Object.entries(marks).filter(([, mark]) => mark !== undefined));
    };
    const rules = new Map(CONFORMANCE_CASES.map(({ rule }) => [rule, marksOf(rule)]));
    console.log(`\n${COLUMNS.join(' ')}`);
    for (const [rule, marks] of rules) printRow(marks, rule);
    for (const [table, rows] of Object.entries(SPEC_ROWS)) {
      console.log(`\n${COLUMNS.join(' ')} ${table}`);
      for (const [row, wanted] of rows) printRow(marksOfRow(rules, wanted), row);
    }
  }
}
