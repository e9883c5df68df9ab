import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { FailureError, UnreadableFile } from '../domain/failure';
import { delivered, forever, startTwoEnds } from '../testing/two-ends';
import { ANSWERED, createCalls } from './calls';

describe('a call', () => {
  it('gives what the method gives', async () => {
    const { remote } = startTwoEnds({ add: async (a: number, b: number) => a + b });
    expect(await remote.add(2, 3)).toBe(5);
  });

  it('rejects with name and message of the error', async () => {
    const { remote } = startTwoEnds({
      fail: () => {
        throw new RangeError('too far');
      },
    });
    await expect(remote.fail()).rejects.toMatchObject({ name: 'RangeError', message: 'too far' });
  });

  it('that blames the file rejects with the same class, kind and sentence', async () => {
    const { remote } = startTwoEnds({
      read: () => Promise.reject(new UnreadableFile('It is too large.', 'out-of-memory')),
    });
    const error = await remote.read().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnreadableFile);
    const failure = { kind: 'out-of-memory', sentence: 'It is too large.' };
    expect(error).toMatchObject({ publicSentence: 'It is too large.', failure });
  });

  it('that fails for a known reason rejects with the same class and kind', async () => {
    const failure = { kind: 'timeout', sentence: 'It took too long.' } as const;
    const { remote } = startTwoEnds({ run: () => Promise.reject(new FailureError(failure)) });
    const error = await remote.run().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FailureError);
    expect(error).toMatchObject({ name: 'FailureError', failure });
  });

  it('that fails with an error of the system rejects with its code', async () => {
    const facts = { code: 'ENOENT', syscall: 'open' };
    const { remote } = startTwoEnds({
      open: () => Promise.reject(Object.assign(new Error('no file'), facts)),
    });
    await expect(remote.open()).rejects.toMatchObject({ message: 'no file', ...facts });
  });

  it('of a method that does not exist, or with arguments that cannot be sent, rejects', async () => {
    const { call } = startTwoEnds({ run: async (value: unknown) => value });
    await expect(call('walk', [])).rejects.toThrow('walk');
    await expect(call('constructor', [])).rejects.toThrow('constructor');
    await expect(call('run', [{ symbol: Symbol('a') }])).rejects.toThrow();
  });

  it('moves whole memory in both directions, and copies a part of a larger buffer', async () => {
    const given: Uint8Array[] = [];
    const { remote } = startTwoEnds({
      take: async (bytes: Uint8Array) => {
        given.push(bytes);
        return bytes;
      },
    });
    const whole = Uint8Array.of(1, 2);
    expect(await remote.take(whole)).toEqual(Uint8Array.of(1, 2));
    const part = new Uint8Array(9).subarray(1, 3);
    await remote.take(part);
    expect([whole.byteLength, part.byteLength, given[0]!.byteLength]).toEqual([0, 2, 0]);
  });

  it('leaves its result in the memory of a thread that hands none over', async () => {
    const kept = new Float32Array(2);
    const { remote } = startTwoEnds({ take: async () => ({ kept }) }, false);
    expect(await remote.take()).toEqual({ kept });
    expect(kept.byteLength).toBe(8);
  });

  it('is released when it is answered, however long the connection lives', async () => {
    const { remote } = startTwoEnds({ make: async () => new Float32Array(9) });
    const kept = await (async () => new WeakRef(await remote.make()))();
    await delivered(); // a WeakRef holds its target until the turn is over
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    expect(kept.deref()).toBeUndefined();
  });
});

describe('progress', () => {
  it('arrives in order, before the result', async () => {
    const shares: number[] = [];
    const { remote } = startTwoEnds({
      load: async (onProgress: (share: number) => void) => {
        onProgress(0.5);
        onProgress(1);
      },
    });
    await remote.load((share) => shares.push(share));
    expect(shares).toEqual([0.5, 1]);
  });

  it('that is reported after the result or after the abort reaches nobody', async () => {
    const late: ((share: number) => void)[] = [];
    const { remote } = startTwoEnds({
      load: async (onProgress: (share: number) => void) => void late.push(onProgress),
      loadForEver: (onProgress: (share: number) => void, _signal: AbortSignal) => {
        late.push(onProgress);
        return forever();
      },
    });
    const shares: number[] = [];
    const abort = new AbortController();
    await remote.load((share) => shares.push(share));
    const stopped = remote.loadForEver((share) => shares.push(share), abort.signal);
    await delivered();
    abort.abort(new Error('stopped'));
    await expect(stopped).rejects.toThrow('stopped');
    expect(late).toHaveLength(2);
    for (const report of late) report(1);
    await delivered();
    expect(shares).toEqual([]);
  });
});

describe('an abort', () => {
  it('rejects the call at once with its reason, and reaches the other side', async () => {
    let aborted = 0;
    const { remote, pending } = startTwoEnds({
      run: (signal: AbortSignal) => {
        signal.addEventListener('abort', () => aborted++);
        return forever();
      },
    });
    const abort = new AbortController();
    const work = remote.run(abort.signal);
    await delivered();
    const reason = new Error('deleted');
    abort.abort(reason);
    await expect(work).rejects.toBe(reason);
    expect(pending()).toBe(1); // it has not stopped yet
    await delivered();
    expect(aborted).toBe(1);
  });

  it('before the call prevents it', async () => {
    let calls = 0;
    const { remote } = startTwoEnds({ run: async (_signal: AbortSignal) => calls++ });
    const abort = new AbortController();
    abort.abort(new Error('too late'));
    await expect(remote.run(abort.signal)).rejects.toThrow('too late');
    await delivered();
    expect(calls).toBe(0);
  });

  it('after the answer reaches nobody, and the signal keeps no listener', async () => {
    let aborted = 0;
    const { remote } = startTwoEnds({
      run: async (signal: AbortSignal) => signal.addEventListener('abort', () => aborted++),
    });
    const abort = new AbortController();
    for (let i = 0; i < 3; i++) await remote.run(abort.signal);
    expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
    abort.abort();
    await delivered();
    expect(aborted).toBe(0);
  });

  it('of all calls rejects each', async () => {
    const { remote, abort } = startTwoEnds({ run: forever });
    const calls = [remote.run(), remote.run()];
    abort(new Error('the host is stopping'));
    for (const one of calls) await expect(one).rejects.toThrow('the host is stopping');
  });
});

describe('the end of the other side', () => {
  it('rejects the calls that wait and all later ones', async () => {
    const { remote, end, idle } = startTwoEnds({ run: forever });
    const waits = remote.run();
    end(new Error('the thread ended'));
    await expect(waits).rejects.toThrow('the thread ended');
    await expect(remote.run()).rejects.toThrow('the thread ended');
    await idle();
  });
});

it('a connection is idle when every call is answered, aborted ones included', async () => {
  const finish: (() => void)[] = [];
  const { remote, idle } = startTwoEnds({
    run: (_signal: AbortSignal) => new Promise<void>((resolve) => finish.push(resolve)),
  });
  const abort = new AbortController();
  const work = remote.run(abort.signal);
  let isIdle = false;
  void idle().then(() => (isIdle = true));
  abort.abort(new Error('left'));
  await expect(work).rejects.toThrow('left');
  await delivered();
  expect(isIdle).toBe(false);
  finish[0]!();
  await delivered();
  expect(isIdle).toBe(true);
});

it('a call that is over makes no error with a stack trace', async () => {
  let over: AbortSignal | undefined;
  const { call } = createCalls(async (sent) => (over = sent.over));
  await call('run', []);
  expect(over?.aborted).toBe(true);
  expect(over?.reason).toBe(ANSWERED);
});
