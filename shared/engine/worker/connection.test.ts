import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { UnreadableFile } from '../../domain/unreadable-file';
import { connect, serve, type Connection } from './connection';
import type { EndCause } from './messages';
import { offering, transferring, type Methods } from './sent-values';

const open: MessagePort[] = [];
afterEach(() => open.splice(0).forEach((port) => port.close()));

const start = <Served extends Methods>(served: Served) => {
  const { port1, port2 } = new MessageChannel();
  open.push(port1, port2);
  const ends: (readonly [EndCause, string])[] = [];
  const connection: Connection<Served> = connect(port1, (...end) => ends.push(end));
  return { ...connection, ...serve(port2, served), ends, port: port1 };
};
const forever = (): Promise<never> => new Promise(() => undefined);

/** Long enough for every message that was sent. */
const delivered = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
};

describe('a call', () => {
  it('gives what the method gives', async () => {
    const { call } = start({ add: async (a: number, b: number) => a + b });
    expect(await call('add', 2, 3)).toBe(5);
  });

  it('rejects with name and message of the error', async () => {
    const { call } = start({
      fail: () => {
        throw new RangeError('too far');
      },
    });
    await expect(call('fail')).rejects.toMatchObject({ name: 'RangeError', message: 'too far' });
  });

  it('that blames the file rejects with the same class and sentence', async () => {
    const { call } = start({ read: () => Promise.reject(new UnreadableFile('It is blank.')) });
    const error = await call('read').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnreadableFile);
    expect(error).toMatchObject({ publicSentence: 'It is blank.' });
  });

  it('of a method that does not exist, or with arguments that cannot be sent, rejects', async () => {
    const { call } = start({ run: async (value: unknown) => value } as Methods);
    await expect(call('walk')).rejects.toThrow('walk');
    await expect(call('run', { symbol: Symbol('a') } as never)).rejects.toThrow();
  });

  it('moves marked memory in both directions, and copies a part of a larger buffer', async () => {
    const given: Uint8Array[] = [];
    const { call } = start({
      take: async (bytes: Uint8Array) => {
        given.push(bytes);
        return transferring(bytes, [bytes]);
      },
    });
    const whole = Uint8Array.of(1, 2);
    expect(await call('take', transferring(whole, [whole]))).toEqual(Uint8Array.of(1, 2));
    const part = new Uint8Array(9).subarray(1, 3);
    await call('take', transferring(part, [part]));
    expect([whole.byteLength, part.byteLength, given[0]!.byteLength]).toEqual([0, 2, 0]);
  });

  it('is released when it is answered, however long the connection lives', async () => {
    const { call } = start({ make: async () => new Float32Array(9) });
    const kept = await (async () => new WeakRef(await call('make')))();
    await delivered(); // a WeakRef holds its target until the turn is over
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    expect(kept.deref()).toBeUndefined();
  });
});

describe('progress', () => {
  it('arrives in order, before the result', async () => {
    const shares: number[] = [];
    const { call } = start({
      load: async (onProgress: (share: number) => void) => {
        onProgress(0.5);
        onProgress(1);
      },
    });
    await call('load', (share) => shares.push(share));
    expect(shares).toEqual([0.5, 1]);
  });

  it('that is reported after the result or after the abort reaches nobody', async () => {
    const late: ((share: number) => void)[] = [];
    const { call } = start({
      load: async (onProgress: (share: number) => void) => void late.push(onProgress),
      loadForEver: (onProgress: (share: number) => void, _signal: AbortSignal) => {
        late.push(onProgress);
        return forever();
      },
    });
    const shares: number[] = [];
    const abort = new AbortController();
    await call('load', (share) => shares.push(share));
    const stopped = call('loadForEver', (share) => shares.push(share), abort.signal);
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
    const { call, pending } = start({
      run: (signal: AbortSignal) => {
        signal.addEventListener('abort', () => aborted++);
        return forever();
      },
    });
    const abort = new AbortController();
    const work = call('run', abort.signal);
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
    const { call } = start({ run: async (_signal: AbortSignal) => calls++ });
    const abort = new AbortController();
    abort.abort(new Error('too late'));
    await expect(call('run', abort.signal)).rejects.toThrow('too late');
    await delivered();
    expect(calls).toBe(0);
  });

  it('of all calls rejects each', async () => {
    const { call, abort } = start({ run: forever });
    const calls = [call('run'), call('run')];
    abort(new Error('the host is stopping'));
    for (const one of calls) await expect(one).rejects.toThrow('the host is stopping');
  });
});

describe('an offer', () => {
  const offer = (notes: string[]) =>
    offering({ size: 3, note: async (text: string) => notes.push(text) as number });
  type Offer = ReturnType<typeof offer>;

  it('is called back with its data while the call runs', async () => {
    const notes: string[] = [];
    const { call } = start({ use: async ({ size, note }: Offer) => size + (await note('seen')) });
    expect(await call('use', offer(notes))).toBe(4);
    expect(notes).toEqual(['seen']);
  });

  it('is withdrawn when the call was aborted: what is written afterwards goes nowhere', async () => {
    const notes: string[] = [];
    let failure: unknown;
    const { call } = start({
      use: async ({ note }: Offer, signal: AbortSignal) => {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        await note('late').catch((error: unknown) => (failure = error));
      },
    });
    const abort = new AbortController();
    const work = call('use', offer(notes), abort.signal);
    await delivered();
    abort.abort(new Error('deleted'));
    await expect(work).rejects.toThrow('deleted');
    await delivered();
    expect(failure).toBeInstanceOf(Error);
    expect(notes).toEqual([]);
  });
});

describe('the end of the other side', () => {
  it('rejects the calls that wait and all later ones', async () => {
    const { call, end, idle } = start({ run: forever });
    const waits = call('run');
    end(new Error('the thread ended'));
    await expect(waits).rejects.toThrow('the thread ended');
    await expect(call('run')).rejects.toThrow('the thread ended');
    await idle();
  });

  it('is announced with its cause as data', async () => {
    const { announceEnd, ends } = start({});
    announceEnd('gpu-lost', 'a new driver');
    await delivered();
    expect(ends).toEqual([['gpu-lost', 'a new driver']]);
  });
});

it('a connection is idle when every call is answered, aborted ones included', async () => {
  const finish: (() => void)[] = [];
  const { call, idle } = start({
    run: (_signal: AbortSignal) => new Promise<void>((resolve) => finish.push(resolve)),
  });
  const abort = new AbortController();
  const work = call('run', abort.signal);
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
