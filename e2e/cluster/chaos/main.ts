/**
 * `npm run test:chaos`: the long form of the chaos test, then a short one with the models of the product.
 *
 * Arguments: `--seed <number>`. The seed decides the order of faults; timing decides the rest.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endWhenOutputCloses } from '../../../server/end-when-output-closes';
import { PRODUCT_MODELS } from '../../../server/testing/built-program';
import { buildCluster } from '../../../server/testing/cluster/build-cluster';
import { findServices } from '../../../server/testing/cluster/cluster';
import { writeTinySet } from '../../support/tiny-set';
import { hashesOfEmbeddedServer } from './embedded';
import { type ChaosForm, LONG, realForm } from './plans';
import { type ChaosReport, runChaos } from './run-chaos';

endWhenOutputCloses();

const EMBEDDED_LIMIT_MS = 600_000;

const print = (line: string): void => console.log(line);

const printReport = (name: string, report: ChaosReport): void => {
  const { seconds, figures, lostHeartbeats, attempts, skipped, violations, errors } = report;
  const refused = [...figures.refused].map(([status, count]) => `${count}× ${status}`).join(', ') || 'none';
  print(`\n${name}: ${violations.length === 0 ? 'nothing was lost, repeated or left over' : 'FAILED'}`);
  print(`  duration                        ${seconds.toFixed(0)} s`);
  print(`  uploads with repetitions        ${figures.requests}`);
  print(`  connections that broke          ${figures.broken}`);
  print(`  refused with a sentence         ${refused}`);
  print(`  longest answer (not awaited)    ${(figures.longestMs / 1000).toFixed(1)} s`);
  print(`  claims without a heartbeat      ${lostHeartbeats}`);
  print(`  attempts                        ${attempts}`);
  for (const sentence of skipped) print(`  skipped: ${sentence}`);
  for (const violation of violations) print(`  ${violation}`);
  if (violations.length > 0) for (const error of errors) print(error);
};

const { values } = parseArgs({ options: { seed: { type: 'string' } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6));
const services = await findServices();

/** @returns whether all guarantees were kept */
const run = async (name: string, models: string, form: ChaosForm): Promise<boolean> => {
  if (!services) return true;
  const program = await buildCluster(models);
  try {
    const root = form.fakeWorkMs === undefined ? program.root : program.fakeRoot(form.fakeWorkMs);
    print(`\n${name}: ${form.files.length} files on one server, for comparison`);
    const expected = await hashesOfEmbeddedServer(program, root, form.files, EMBEDDED_LIMIT_MS);
    const report = await runChaos({ ...form, seed, program, services, expected }, print);
    printReport(name, report);
    return report.violations.length === 0;
  } finally {
    program.remove();
  }
};

const tiny = mkdtempSync(join(tmpdir(), 'veil-models-'));
writeTinySet(tiny);
try {
  print(`Seed ${seed}`);
  const isFakeFine = await run('Fake engine', tiny, LONG);
  const isRealFine = await run('Models of the product', PRODUCT_MODELS, await realForm());
  process.exitCode = isFakeFine && isRealFine ? 0 : 1;
} finally {
  rmSync(tiny, { recursive: true, force: true });
}
