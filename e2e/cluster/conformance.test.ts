import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type HostNeeds, type Send, STANDARD_HOST } from '#shared/testing/conformance';
import { CONFORMANCE_CASES } from '#shared/testing/conformance-cases';
import { buildCluster, type ClusterProgram } from '../../server/testing/cluster/build-cluster';
import { type Cluster, findServices, startCluster } from '../../server/testing/cluster/cluster';
import { clusterFlagsFor } from '../support/host-flags';
import { sendByHttp } from '../support/send';
import { writeTinySet } from '../support/tiny-set';

const FOLDER = mkdtempSync(join(tmpdir(), 'veil-conformance-'));
const APIS = 2;
/** Behind a proxy, all API processes have one address. */
const ENDPOINT = ['--api-endpoint', 'http://veil.example'];
const services = await findServices();

/** Requests go to the API processes in turn. */
const alternately = (origins: readonly string[]): Send => {
  let sent = 0;
  return (request) => sendByHttp(origins[(sent += 1) % origins.length] ?? '')(request);
};

// The same handlers answer as without a cluster (`../conformance.test.ts`), and `guarantees.test.ts` tests what one
// process has to know of another.
describe.skipIf(!services)('two API processes and two workers', { tags: ['slow'] }, () => {
  let program: ClusterProgram;
  let cluster: Cluster;
  beforeAll(async () => {
    const models = join(FOLDER, 'models');
    writeTinySet(models);
    program = await buildCluster(models);
    cluster = await startCluster({ program, services: services!, apis: [], workers: 2 });
  });
  afterAll(async () => {
    await cluster?.stop();
    program?.remove();
    rmSync(FOLDER, { recursive: true, force: true });
  });

  /** API processes by their settings: two of each. All share the workers. */
  const running = new Map<string, Promise<Send>>();
  const start = async (needs: HostNeeds): Promise<Send> => {
    const flags = [...clusterFlagsFor(needs), ...ENDPOINT];
    const apis = await Promise.all(Array.from({ length: APIS }, () => cluster.addApi(flags)));
    return alternately(apis.map(({ origin }) => origin));
  };
  const sendTo = (needs: Partial<HostNeeds> = {}): Promise<Send> => {
    const key = JSON.stringify(needs);
    const send = running.get(key) ?? start({ ...STANDARD_HOST, ...needs });
    running.set(key, send);
    return send;
  };
  for (const { rule, host, run } of CONFORMANCE_CASES) {
    // Results of a cluster are kept until they are deleted: it has no option `--hold`.
    it.skipIf(host?.hold !== undefined)(rule, async () => run(await sendTo(host)));
  }
});
