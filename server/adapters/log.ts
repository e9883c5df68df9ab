import pino, { type DestinationStream } from 'pino';
import type { Log } from '#shared/ports/system';

/** What is logged: everything, only errors, or nothing. */
export const LOG_LEVELS = ['info', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `json`: a line of JSON for each event. `pretty`: a sentence for people. */
export const LOG_FORMATS = ['json', 'pretty'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export interface LogOptions {
  readonly logLevel: LogLevel;
  /** Undefined: `pretty` on a terminal, `json` elsewhere. */
  readonly logFormat: LogFormat | undefined;
  /** Whether lines contain ids of tasks. */
  readonly logNames?: boolean;
}

interface LogLine {
  readonly time: number;
  readonly level: number;
  readonly msg: string;
  readonly err?: { readonly stack?: string };
  readonly [fact: string]: unknown;
}

/** Replaces control characters: clients choose file names and agents, which could control a terminal. */
const plain = (text: string): string => text.replace(/[^\P{C}\n\t]/gu, '?');

/** Time, message and facts on one line, and the stack of an error below it. */
const formatLine = ({ time, level, msg, err, ...facts }: LogLine): string => {
  const clock = new Date(time).toTimeString().slice(0, 8);
  const said = Object.entries(facts).map(
    ([name, value]) => ` ${name}=${String(value).replaceAll(/[\n\t]/g, '?')}`,
  );
  const mark = level >= pino.levels.values['error']! ? 'error: ' : '';
  return plain(`${clock} ${mark}${msg}${said.join('')}${err?.stack ? `\n${err.stack}` : ''}\n`);
};

const pretty = (destination: DestinationStream): DestinationStream => ({
  write: (line) => destination.write(formatLine(JSON.parse(line) as LogLine)),
});

/** A request's own id, which may be a UUID and stays, or any other UUID. */
const ID = /("requestId":"[^"]*")|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/**
 * Replaces ids of tasks, subjects and attempts in whole lines: they are also in the names of jobs, in paths, and so in
 * the messages of errors that the system or a library writes.
 */
const withoutIds = (destination: DestinationStream): DestinationStream => ({
  write: (line) => destination.write(line.replace(ID, (_id, own?: string) => own ?? '<id>')),
});

/** The server's log on standard error. */
export const createLog = (
  { logLevel, logFormat = process.stderr.isTTY ? 'pretty' : 'json', logNames = false }: LogOptions,
  destination: DestinationStream = process.stderr,
): Log => {
  const written = logFormat === 'pretty' ? pretty(destination) : destination;
  const stream = logNames ? written : withoutIds(written);
  const logger = pino({ base: null, level: logLevel }, stream);
  return {
    info: (message, facts) => logger.info(facts ?? {}, message),
    error: (message, cause, facts) => logger.error({ ...facts, err: cause }, message),
  };
};
