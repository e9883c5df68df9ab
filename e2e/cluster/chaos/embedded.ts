import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClusterProgram } from '../../../server/testing/cluster/build-cluster';
import { freePort } from '../../../server/testing/services/free-port';
import { hashOfResult, whenAllEnded } from './outcome';
import { type ChaosFile, createFigures, uploadUntilAcknowledged } from './upload';

/**
 * Processes files on one server without a role.
 *
 * @param root folder of the engine: see `ClusterProgram`
 * @returns the hashes of the results, in the order of the files
 */
export const hashesOfEmbeddedServer = async (
  { product }: ClusterProgram,
  root: string,
  files: readonly ChaosFile[],
  limitMs: number,
): Promise<readonly string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'veil-embedded-'));
  const port = await freePort();
  const folders = ['--input', join(folder, 'in'), '--output', join(folder, 'out'), '--hold', 'all'];
  const args = [product, root, '--port', String(port), '--workers', '1', ...folders];
  const server = spawn(process.execPath, args, { stdio: 'ignore' });
  const kill = (): void => void server.kill('SIGKILL');
  process.once('exit', kill);
  try {
    const origin = `http://127.0.0.1:${port}`;
    const ids: string[] = [];
    for (const file of files) {
      const upload = { ...file, isAwaited: false };
      ids.push(await uploadUntilAcknowledged(upload, crypto.randomUUID(), () => origin, createFigures()));
    }
    await whenAllEnded(origin, limitMs);
    const hashes: string[] = [];
    for (const [index, id] of ids.entries()) {
      hashes.push(await hashOfResult(origin, id, files[index]?.contentType.startsWith('video/')));
    }
    return hashes;
  } finally {
    process.off('exit', kill);
    const ended = once(server, 'exit');
    kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
};
