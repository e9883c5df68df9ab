import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { unlessFaulted } from '#shared/engine/runtime/unless-faulted';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const forever = new Promise<never>(() => undefined);

describe('work that a fault may cut short', () => {
  it('settles as it does by itself', async () => {
    const guard = unlessFaulted(forever);
    expect(await guard(Promise.resolve(7))).toBe(7);
    await expect(guard(Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  it('rejects with the fault, that which waits and that which comes later', async () => {
    const faults = new AbortController();
    const fault = new Promise<never>((_, reject) => {
      faults.signal.addEventListener('abort', () => reject(faults.signal.reason as Error));
    });
    const guard = unlessFaulted(fault);
    const waits = guard(forever);
    faults.abort(new Error('gone'));
    await expect(waits).rejects.toThrow('gone');
    await expect(guard(Promise.resolve(7))).rejects.toThrow('gone');
  });

  it('is forgotten when it is done, however long the fault does not come', async () => {
    const guard = unlessFaulted(forever);
    const answer = async (): Promise<WeakRef<object>> =>
      new WeakRef(await guard(Promise.resolve(new Float32Array(9))));
    const kept = await answer();
    await nextTurn(); // a WeakRef holds its target until the turn is over
    collectGarbage();
    expect(kept.deref()).toBeUndefined();
  });
});
