import { constants } from 'node:os';

/** Signals that stop a run. A closed output counts as one of them. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGPIPE';

/**
 * Ends the process at once by the default action of a signal, so that shells report 128 plus its number.
 *
 * Not by `process.exit`, which unloads native libraries while their threads may still run: onnxruntime then aborts the
 * process with a message of its own.
 */
export const endBySignal = (signal: Exclude<StopSignal, 'SIGPIPE'>): void => {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
};

/** The exit code that shells report for a process that a closed pipe ended. */
const EXIT_CLOSED_PIPE = 128 + constants.signals.SIGPIPE;

const exitQuietly = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT_CLOSED_PIPE);
};

/**
 * Ends a command when the reader of its output closes, as with `| head`.
 *
 * Node ignores the signal SIGPIPE. Without a listener, the failed write would end in a stack trace.
 *
 * @param end is called once, at the first failed write to stdout or stderr. By default, a closed pipe ends the process
 *   at once with exit code 141, and any other error is thrown.
 */
export const endWhenOutputCloses = (end: (error: NodeJS.ErrnoException) => void = exitQuietly): void => {
  let isEnding = false;
  const onError = (error: NodeJS.ErrnoException): void => {
    if (isEnding) return;
    isEnding = true;
    end(error);
  };
  for (const stream of [process.stdout, process.stderr]) stream.on('error', onError);
};
