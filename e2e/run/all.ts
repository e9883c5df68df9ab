/**
 * `npm test`: all steps. Arguments are names of steps; `check` means the static ones (`npm run check`).
 *
 * A failed step is printed at once and does not stop the others, so that one run shows all failures. The last line is
 * the sum.
 */
import { endWhenOutputCloses } from '../../server/end-when-output-closes';
import { add, type Count, NOTHING, summary } from './count';
import { chooseSteps } from './choose-steps';
import type { Print } from './program';
import type { Step } from './steps';

endWhenOutputCloses();

const CHECKS_AT_ONCE = 2;

let total = NOTHING;

/** A step that throws counts as failed. */
const runStep = async ({ name, run }: Step, print: Print): Promise<void> => {
  print(`\n── ${name}\n`);
  const start = performance.now();
  const count = await run(print).catch((error: unknown): Count => {
    const reason = error instanceof Error ? error.message : String(error);
    print(`${reason}\n`);
    return { ...NOTHING, failed: 1, failures: [`${name}: ${reason}`] };
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  print(`${count.failed === 0 ? '✓' : '✗'} ${name}: ${summary(count)} (${seconds} s)\n`);
  total = add(
    total,
    count.failed > 0 && count.failures.length === 0 ? { ...count, failures: [name] } : count,
  );
};

const toTerminal: Print = (text) => void process.stdout.write(text);

/** Runs steps in parallel. The output of each is printed as a whole when it ends. */
const runSideBySide = async (steps: readonly Step[]): Promise<void> => {
  const waiting = [...steps];
  const lane = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      let output = '';
      await runStep(step, (text) => (output += text));
      toTerminal(output);
    }
  };
  await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, lane));
};

const { checks, tests } = chooseSteps(process.argv.slice(2));
await runSideBySide(checks);
for (const step of tests) await runStep(step, toTerminal);
// Repeated at the end, because often only the end of a log is kept.
for (const failure of total.failures) console.log(`\nFailed: ${failure}`);
console.log(total.failed > 0 ? '' : '\nNothing failed.');
console.log(summary(total));
process.exitCode = total.failed > 0 ? 1 : 0;
