import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import type { InferenceSession } from '#shared/ports/inference';
import { createInferenceWorkers } from './inference-workers';

const [WORK, FAIL, END] = [0, 1, 2] as const;
const workerFile = pathToFileURL(join(import.meta.dirname, '../testing/stub-inference-worker.mjs'));
const workers = (threads: number, onEnd = vi.fn()) => createInferenceWorkers({ workerFile, threads, onEnd });
const run = async (session: InferenceSession, behaviour: number): Promise<number[]> => {
  const outputs = await session.run({ image: { data: Float32Array.of(behaviour), dims: [1] } });
  return [...outputs['out']!.data];
};

describe('threads for models', () => {
  it('are two, or one where there is one core', () => {
    expect([1, 2, 8].map((threads) => workers(threads).parallelRuns)).toEqual([1, 2, 2]);
  });

  it('are started by the first model that needs them', async () => {
    const onEnd = vi.fn();
    const missing = new URL('missing.mjs', workerFile);
    const runtime = createInferenceWorkers({ workerFile: missing, threads: 2, onEnd });
    const open = (keepsWorkingMemory: boolean): Promise<unknown> =>
      runtime.createSession(new Uint8Array(4), { keepsWorkingMemory });
    await expect(open(true)).rejects.toThrow('missing.mjs');
    expect(onEnd).toHaveBeenCalledTimes(1);
    await expect(open(false)).rejects.toThrow('missing.mjs');
    await expect.poll(() => onEnd.mock.calls.length).toBe(2);
  });

  it('run two models at once, each in a thread of its own', async () => {
    const session = await workers(2).createSession(new Uint8Array(4));
    const [first, second] = await Promise.all([run(session, WORK), run(session, WORK)]);
    expect(first![1]).not.toBe(second![1]);
  });

  it('know each session by itself', async () => {
    const runtime = workers(1);
    const sessions = [
      await runtime.createSession(new Uint8Array(4)),
      await runtime.createSession(new Uint8Array(4)),
    ];
    expect(await Promise.all(sessions.map(async (session) => (await run(session, WORK))[0]))).toEqual([0, 1]);
  });

  it('leave a model with whom it belongs to, also where two of them get it', async () => {
    const model = Buffer.from(new ArrayBuffer(4));
    await workers(2).createSession(model);
    expect(model.byteLength).toBe(4);
  });

  it('take the input over instead of copying it', async () => {
    const session = await workers(1).createSession(new Uint8Array(4));
    const data = Float32Array.of(WORK);
    await session.run({ image: { data, dims: [1] } });
    expect(data.buffer.byteLength).toBe(0);
  });

  it('report why a run failed, and keep working', async () => {
    const session = await workers(1).createSession(new Uint8Array(4));
    await expect(run(session, FAIL)).rejects.toThrow('the model does not like it');
    expect(await run(session, WORK)).toHaveLength(2);
  });

  it('keep the process while a run waits for them, and no longer', async () => {
    const program = join(import.meta.dirname, '../testing/inference-worker-user.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    expect(stdout).toBe('done\n');
  });

  it('that end take their runs with them, and say so: nobody waits for ever', async () => {
    const onEnd = vi.fn();
    const session = await workers(1, onEnd).createSession(new Uint8Array(4));
    await expect(run(session, END)).rejects.toThrow('a thread for models ended with code 7');
    await expect(run(session, WORK)).rejects.toThrow('a thread for models ended');
    expect(onEnd).toHaveBeenCalledOnce();
  });
});
