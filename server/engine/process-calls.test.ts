import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { FromEngine } from './messages';
import { answerHost } from './process-calls';

/** More than there are workers on any machine. */
const LISTENERS = 100;

it('any number of workers may listen to the signal of a call without a warning', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  const answers: FromEngine[] = [];
  const take = answerHost(
    (_method, args) => {
      const signal = args.at(-1) as AbortSignal;
      const listening = Array.from({ length: LISTENERS }, () => once(signal, 'abort'));
      return Promise.all(listening).then(() => LISTENERS);
    },
    (message) => void answers.push(message),
  );
  take({ type: 'call', id: 1, method: 'wait', data: [], places: [], hasSignal: true });
  take({ type: 'abort', id: 1 });
  await expect.poll(() => answers).toHaveLength(1);
  await setImmediate();
  process.off('warning', note);
  expect(warnings).toEqual([]);
});
