import { setImmediate as nextTurn } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { methodsBy } from '../threads/calls';
import { connect, serve } from '../threads/remote';

/** Two ends of a channel in one thread. */
export const startTwoEnds = <Served extends object>(served: Served, movesMemory = true) => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => [port1, port2].forEach((port) => port.close()));
  const calls = connect(port1);
  serve(port2, () => served, movesMemory);
  return { ...calls, remote: methodsBy<Served>(calls.call) };
};

export const forever = (): Promise<never> => new Promise(() => undefined);

/** Long enough for every message that was sent. */
export const delivered = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
};
