import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '#shared/api/contract/routes';
import { RAMP_JPEG } from '#shared/testing/ramp-images';
import { asPassword, askBlur } from '../../server/testing/ask-blur';
import { filesOf } from '../../server/testing/batch-folder';
import { buildCluster, type ClusterProgram } from '../../server/testing/cluster/build-cluster';
import { type Cluster, findServices, startCluster } from '../../server/testing/cluster/cluster';
import type { KeptProcess } from '../../server/testing/cluster/kept-process';
import { writeTinySet } from '../support/tiny-set';

const TOKEN = 'a-token-of-this-test-0123456789';
const services = await findServices();

describe.skipIf(!services)('`veil api --panoramax` with a worker', () => {
  const models = mkdtempSync(join(tmpdir(), 'veil-models-'));
  let program: ClusterProgram;
  let cluster: Cluster;
  let origin: string;
  beforeAll(async () => {
    writeTinySet(models);
    program = await buildCluster(models);
    const apis = [['--panoramax', '-a', 'face', '--token', TOKEN]];
    cluster = await startCluster({ program, services: services!, apis, workers: 1 });
    [{ origin }] = cluster.apis as [KeptProcess];
  });
  afterAll(async () => {
    await cluster?.stop();
    program?.remove();
    rmSync(models, { recursive: true, force: true });
  });

  it('answers POST /blur/ with a JPEG image when the worker has anonymised it, and keeps nothing of it', async () => {
    const asked = Array.from({ length: 3 }, () => askBlur(origin, { authorization: asPassword(TOKEN) }));
    const responses = await Promise.all(asked);
    // Three bytes between segments of the source are a warning of the decoder.
    const pixelsOf = (image: Uint8Array) =>
      sharp(image, { failOn: 'error' }).raw().toBuffer({ resolveWithObject: true });
    const source = await pixelsOf(RAMP_JPEG);
    for (const response of responses) {
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      const image = new Uint8Array(await response.arrayBuffer());
      const result = await pixelsOf(image);
      expect(result.info).toEqual(source.info);
      expect(result.data.equals(source.data)).toBe(false);
    }
    const listed = await fetch(origin + ROUTES.listTasks.path, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect(await listed.json()).toEqual([]);
    await expect.poll(() => filesOf(cluster.files)).toEqual([]);
  });

  it('refuses requests without the token', async () => {
    expect((await askBlur(origin, {})).status).toBe(401);
  });
});
