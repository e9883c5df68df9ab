import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildCluster } from '../../server/testing/cluster/build-cluster';
import { findServices } from '../../server/testing/cluster/cluster';
import { writeTinySet } from '../support/tiny-set';
import { hashesOfEmbeddedServer } from './chaos/embedded';
import { SHORT } from './chaos/plans';
import { runChaos } from './chaos/run-chaos';

const services = await findServices();

/** Decides the order of faults. */
const SEED = 20;

// The long form, with another seed in each run: `npm run test:chaos`.
it.skipIf(!services)(
  'no acknowledged upload is lost, done twice or differs while processes and services are killed',
  async () => {
    const models = mkdtempSync(join(tmpdir(), 'veil-models-'));
    writeTinySet(models);
    const program = await buildCluster(models);
    const lines: string[] = [];
    try {
      const expected = await hashesOfEmbeddedServer(program, program.fakeRoot, SHORT.files, 60_000);
      const plan = { ...SHORT, seed: SEED, program, services: services!, expected };
      const report = await runChaos(plan, (line) => lines.push(line));
      for (const sentence of report.skipped) console.log(sentence);
      if (report.violations.length > 0) lines.push(...report.errors);
      expect(report.violations, lines.join('\n')).toEqual([]);
    } finally {
      program.remove();
      rmSync(models, { recursive: true, force: true });
    }
  },
  120_000,
);
