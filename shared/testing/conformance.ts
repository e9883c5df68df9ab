import { ERROR_CODE_HEADER } from '../api/contract/basics';
import { ERRORS } from '../api/contract/errors';
import type { ServiceSettings } from '../tasks/base/settings';

/** One part of a multipart body. */
export interface SentPart {
  readonly name: string;
  /** Null for a form field, which is not a file. */
  readonly filename: string | null;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request to a host, as data. A driver converts `parts` to a body or a `FormData`. */
export interface SentRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly parts?: readonly SentPart[];
  /** A complete body instead of `parts`; `headers` contains its type. */
  readonly body?: Uint8Array;
}

export interface Answer {
  readonly status: number;
  /** Values by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export type Send = (request: SentRequest) => Promise<Answer>;

/** Settings with which the host under test must be started. */
export type HostNeeds = Pick<
  ServiceSettings,
  'classes' | 'saveMask' | 'hold' | 'syncWhenBusy' | 'concurrency' | 'strictParameters'
>;

/** Settings of the host for most cases. */
export const STANDARD_HOST: HostNeeds = {
  classes: ['face', 'license-plate', 'person', 'vehicle'],
  saveMask: 'all',
  hold: 'all',
  syncWhenBusy: 'refuse',
  concurrency: 1,
};

/** Differences of two more hosts: each case needs one of them, and each start of a server takes seconds. */
export const OTHER_HOST = {
  classes: ['face'],
  saveMask: 'binary',
  syncWhenBusy: 'queue',
} as const satisfies Partial<HostNeeds>;
export const STRICT_HOST = {
  saveMask: 'none',
  strictParameters: true,
} as const satisfies Partial<HostNeeds>;

/**
 * One rule of the contract, which is checked with any way of sending requests.
 *
 * `run` throws if the rule is broken. Cases of one host run one after the other, because some fill its queue and some
 * delete all of its tasks.
 */
export interface ConformanceCase {
  readonly rule: string;
  /** Differences from {@link STANDARD_HOST}. */
  readonly host?: Partial<HostNeeds>;
  readonly run: (send: Send) => Promise<void>;
}

const asText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** @throws Error that contains the actual value if `condition` is false */
export function must(condition: boolean, expectation: string, came: unknown): asserts condition {
  if (!condition) throw new Error(`Expected ${expectation}, but got ${JSON.stringify(came)}`);
}

export const mustBe = (came: unknown, expected: unknown, what: string): void =>
  must(JSON.stringify(came) === JSON.stringify(expected), `${what} to be ${JSON.stringify(expected)}`, came);

export const mustHaveStatus = (answer: Answer, status: number): void =>
  must(answer.status === status, `status ${status}`, `${answer.status} ${asText(answer.body).slice(0, 300)}`);

export const mustHaveType = (answer: Answer, contentType: string): void =>
  must(
    answer.headers['content-type']?.split(';')[0] === contentType,
    `content-type ${contentType}`,
    answer.headers,
  );

/** The JSON body of a successful answer. */
export const jsonOf = <T>(answer: Answer): T => {
  mustHaveStatus(answer, 200);
  mustHaveType(answer, 'application/json');
  return JSON.parse(asText(answer.body)) as T;
};

/** Checks that an answer is an error in the usual form, and that its sentence contains a text. */
export const mustRefuse = (answer: Answer, status: number, mentions: string | RegExp = ''): void => {
  mustHaveStatus(answer, status);
  mustHaveType(answer, 'application/json');
  const body = JSON.parse(asText(answer.body)) as { detail?: unknown };
  mustBe(Object.keys(body), ['detail'], "an error's fields");
  const { detail } = body;
  must(typeof detail === 'string' && detail.length > 0, 'a sentence in `detail`', body);
  const isNamed = typeof mentions === 'string' ? detail.includes(mentions) : mentions.test(detail);
  must(isNamed, `\`detail\` to mention ${String(mentions)}`, detail);
  const code = answer.headers[ERROR_CODE_HEADER] ?? 'no code';
  mustBe(Object.entries(ERRORS).find(([name]) => name === code)?.[1].status, status, `the status of ${code}`);
  must(!/\/(home|tmp|usr|var)\/|[a-z]:\\|\n +at /i.test(detail), '`detail` to leak nothing', detail);
};

/** @throws Error if an object has other fields than these */
export const mustHaveFields = (value: object, fields: readonly string[]): void =>
  mustBe(Object.keys(value).sort(), [...fields].sort(), 'the fields');
