import { afterEach, describe, expect, it, vi } from 'vitest';
import { delivered, forever, startTwoEnds } from '../testing/two-ends';

describe('functions among the arguments', () => {
  const notesOf = (notes: string[]) => ({
    size: 3,
    note: async (text: string) => void notes.push(text),
  });
  type Notes = ReturnType<typeof notesOf>;

  it('are called back with their data while the call runs', async () => {
    const notes: string[] = [];
    const { remote } = startTwoEnds({
      use: async ({ size, note }: Notes) => {
        await note('seen');
        return size;
      },
    });
    expect(await remote.use(notesOf(notes))).toBe(3);
    expect(notes).toEqual(['seen']);
  });

  it('are withdrawn when the call was aborted: what is written afterwards goes nowhere', async () => {
    const notes: string[] = [];
    let failure: unknown;
    const { remote } = startTwoEnds({
      use: async ({ note }: Notes, signal: AbortSignal) => {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        await note('late').catch((error: unknown) => (failure = error));
      },
    });
    const abort = new AbortController();
    const work = remote.use(notesOf(notes), abort.signal);
    await delivered();
    abort.abort(new Error('deleted'));
    await expect(work).rejects.toThrow('deleted');
    await delivered();
    expect(failure).toBeInstanceOf(Error);
    expect(notes).toEqual([]);
  });

  it('reject the call with their own error, but a read may be repeated', async () => {
    const full = new Error('the disk is full');
    let reads = 0;
    const files = {
      source: { read: async () => (++reads === 1 ? Promise.reject(new Error('try again')) : reads) },
      target: { write: (_bytes: Uint8Array): Promise<void> => Promise.reject(full) },
    };
    const { remote } = startTwoEnds({
      read: async ({ source }: typeof files) => source.read().catch(() => source.read()),
      write: async ({ target }: typeof files) => {
        await target.write(new Uint8Array(2)).catch(() => {
          throw new Error('a consequence');
        });
      },
    });
    expect(await remote.read(files)).toBe(2);
    await expect(remote.write(files)).rejects.toBe(full);
  });

  it('get a copy of bytes, because the other side goes on using its buffers', async () => {
    const buffer = new Uint8Array(2);
    const written: Uint8Array[] = [];
    const { remote } = startTwoEnds({
      run: async ({ write }: { write(bytes: Uint8Array): Promise<void> }) => {
        await write(buffer);
        buffer.fill(9);
        await write(buffer.subarray(1));
      },
    });
    await remote.run({ write: async (bytes) => void written.push(bytes) });
    expect(written).toEqual([Uint8Array.of(0, 0), Uint8Array.of(9)]);
    expect(buffer.byteLength).toBe(2);
  });
});

describe('ports', () => {
  /** Counts the ports that are opened from now on and not closed yet. */
  const countPorts = (): (() => number) => {
    let opened = 0;
    const Channel = MessageChannel;
    class CountedChannel extends Channel {
      constructor() {
        super();
        for (const port of [this.port1, this.port2]) {
          opened++;
          port.addEventListener('close', () => opened--);
        }
      }
    }
    vi.stubGlobal('MessageChannel', CountedChannel);
    return () => opened;
  };
  afterEach(() => void vi.unstubAllGlobals());

  const served = {
    run: async (files: { read(): Promise<number> }, onProgress: () => void, _signal: AbortSignal) => {
      onProgress();
      return files.read();
    },
    stop: (_files: object, _onProgress: () => void, signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('late')))),
    hang: (_files: object, _onProgress: () => void, _signal: AbortSignal) => forever(),
  };
  const files = { read: async () => 7 };
  const ignore = (): void => undefined;

  it('of 100 calls that were answered or aborted are closed', async () => {
    const { remote } = startTwoEnds(served);
    const openPorts = countPorts();
    for (let i = 0; i < 50; i++) {
      const abort = new AbortController();
      expect(await remote.run(files, ignore, abort.signal)).toBe(7);
      const stopped = remote.stop(files, ignore, abort.signal);
      abort.abort(new Error('enough'));
      await expect(stopped).rejects.toThrow('enough');
    }
    await expect.poll(openPorts).toBe(0);
  });

  it('of a call whose thread has ended are closed', async () => {
    const { remote, end } = startTwoEnds(served);
    const openPorts = countPorts();
    const hangs = remote.hang(files, ignore, new AbortController().signal);
    await delivered();
    expect(openPorts()).toBeGreaterThan(0);
    end(new Error('the thread ended'));
    await expect(hangs).rejects.toThrow('the thread ended');
    await expect.poll(openPorts).toBe(0);
  });
});
