/** Result of a step, for the last line of `npm test`. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Names of the failed tests or files, if known, with the reasons. */
  readonly failures: readonly string[];
}

export const NOTHING: Count = { passed: 0, failed: 0, skipped: 0, failures: [] };

export const add = (a: Count, b: Count): Count => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
  failures: [...a.failures, ...b.failures],
});

/** One check: a tool without tests of its own, such as a linter. */
export const countExit = (code: number): Count => ({
  ...NOTHING,
  passed: code === 0 ? 1 : 0,
  failed: code === 0 ? 0 : 1,
});

/** A step with a non-zero exit code has failed, even if its report counts no failed test. */
const trueToExit = (count: Count, code: number): Count =>
  code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;

/** Maximum number of lines of an error: enough for the expected value, the received value and the place. */
const REASON_LINES = 12;
const COLOURS = /\u001b\[[\d;]*m/g;

/** A failed test with its errors: for a failure that does not repeat, the log is often all there is. */
const failure = (name: string, ...messages: readonly (string | undefined)[]): string => {
  const reasons = messages.flatMap((message = '') => {
    const lines = message.replace(COLOURS, '').split('\n');
    return lines.filter((line) => line.trim() !== '').slice(0, REASON_LINES);
  });
  return [name, ...reasons.map((line) => `  ${line}`)].join('\n');
};

export interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly status: string;
      /** Without the names of suites. */
      readonly title: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/** The failed tests of each file, or only the file if it cannot be loaded. */
const failuresOfVitest = ({ testResults }: VitestReport): string[] =>
  testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      if (failed.length === 0) return [name];
      return failed.map(({ fullName, failureMessages }) =>
        failure(`${name}: ${fullName}`, failureMessages?.[0]),
      );
    });

/** A test file that cannot be loaded has no failed test in the report. It counts as one. */
export const countVitest = (report: VitestReport, code: number): Count => {
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  );
  const count = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: failuresOfVitest(report),
  };
  return trueToExit(count, code);
};

interface PlaywrightSuite {
  readonly title: string;
  readonly specs?: readonly {
    readonly title: string;
    readonly ok: boolean;
    readonly tests: readonly {
      readonly status: string;
      readonly results?: readonly { readonly errors?: readonly { readonly message?: string }[] }[];
    }[];
  }[];
  readonly suites?: readonly PlaywrightSuite[];
}

/** A suite of the report is a file or a `describe` within one. */
const failuresOfSuite = ({ title, specs = [], suites = [] }: PlaywrightSuite): string[] => [
  ...specs
    .filter(({ ok, tests }) => !ok || tests.some(({ status }) => status === 'flaky'))
    .map((spec) => {
      const results = spec.tests.flatMap((test) => test.results ?? []);
      const messages = results.find(({ errors = [] }) => errors.length > 0)?.errors ?? [];
      return failure(`${title}: ${spec.title}`, ...messages.map(({ message }) => message));
    }),
  ...suites.flatMap(failuresOfSuite),
];

interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
  readonly errors: readonly unknown[];
  readonly suites: readonly PlaywrightSuite[];
}

/** A test that passes only after a retry has failed. */
export const countPlaywright = ({ stats, errors, suites }: PlaywrightReport, code: number): Count =>
  trueToExit(
    {
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + errors.length,
      skipped: stats.skipped,
      failures: suites.flatMap(failuresOfSuite),
    },
    code,
  );

/** The last line of `npm test`. */
export const summary = ({ passed, failed, skipped }: Count): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
