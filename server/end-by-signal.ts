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
