import pino, { type DestinationStream } from 'pino';
import type { Log } from '#shared/ports/log';

interface LogLine {
  readonly time: number;
  readonly level: number;
  readonly msg: string;
  readonly err?: { readonly stack?: string };
  readonly [fact: string]: unknown;
}

/** One line for people: time, message, facts; an error's stack below it. */
const formatLine = ({ time, level, msg, err, ...facts }: LogLine): string => {
  const clock = new Date(time).toTimeString().slice(0, 8);
  const said = Object.entries(facts).map(([name, value]) => ` ${name}=${String(value)}`);
  const mark = level >= pino.levels.values['error']! ? 'error: ' : '';
  return `${clock} ${mark}${msg}${said.join('')}${err?.stack ? `\n${err.stack}` : ''}\n`;
};

const terminal = {
  write: (line: string) => void process.stderr.write(formatLine(JSON.parse(line) as LogLine)),
} satisfies DestinationStream;

/** JSON lines to stderr; sentences where a person is reading. */
export const createLog = (
  destination: DestinationStream = process.stderr.isTTY ? terminal : process.stderr,
): Log => {
  const logger = pino({ base: null }, destination);
  return {
    info: (message, facts) => logger.info(facts ?? {}, message),
    error: (message, cause) => logger.error({ err: cause }, message),
  };
};
