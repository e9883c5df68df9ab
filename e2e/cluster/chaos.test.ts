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

// The long form: `npm run test:chaos`.
it.skipIf(!services)(
  'no acknowledged upload is lost, done twice or differs while processes and services are killed',
  { tags: ['slow'] },
  async () => {
    const models = mkdtempSync(join(tmpdir(), 'veil-models-'));
    writeTinySet(models);
    const program = await buildCluster(models);
    const seed = Math.floor(Math.random() * 1e6);
    const lines = [`Seed ${seed}`];
    try {
      const expected = await hashesOfEmbeddedServer(program, program.fakeRoot(0), SHORT.files, 60_000);
      const plan = { ...SHORT, seed, program, services: services!, expected };
      const report = await runChaos(plan, (line) => lines.push(line));
      for (const sentence of report.skipped) console.log(sentence);
      if (report.violations.length > 0) lines.push(...report.errors);
      expect(report.violations, lines.join('\n')).toEqual([]);
    } finally {
      program.remove();
      rmSync(models, { recursive: true, force: true });
    }
  },
);
