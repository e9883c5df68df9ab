/**
 * `npm test`, and with the argument `check` its static part, `npm run check`.
 *
 * A failed step is shown at once and does not stop the others: one run tells everything. The last line is the sum.
 */
import { add, type Count, NOTHING, summary } from './count';
import { CHECKS, type Step, TESTS } from './steps';

/** A step that crashes has failed. */
const runStep = async ({ name, run }: Step): Promise<Count> => {
  console.log(`\n── ${name}`);
  const start = performance.now();
  const count = await run().catch((error: unknown): Count => {
    console.error(error instanceof Error ? error.message : error);
    return { ...NOTHING, failed: 1 };
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${count.failed === 0 ? '✓' : '✗'} ${name}: ${summary(count)} (${seconds} s)`);
  return count;
};

const steps = process.argv[2] === 'check' ? CHECKS : [...CHECKS, ...TESTS];
let total = NOTHING;
const failed: string[] = [];
for (const step of steps) {
  const count = await runStep(step);
  if (count.failed > 0) failed.push(step.name);
  total = add(total, count);
}
console.log(failed.length > 0 ? `\nFailed: ${failed.join(', ')}` : '\nNothing failed.');
console.log(summary(total));
process.exitCode = failed.length > 0 ? 1 : 0;
