import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../domain/limits';
import { defaultImageOptions } from '../../domain/options';
import type { VideoFrame, VideoReader } from '../../ports/video';
import { createFakeSystem } from '../../testing/fake-system';
import { planFor } from '../../testing/plans';
import { plainRaster } from '../../testing/rasters';
import { redactVideo, type SettledFrame } from './redact-video';

const SIZE = { width: 8, height: 8 };
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Behaviour {
  readonly batches: readonly (readonly number[])[];
  readonly plan?: (index: number) => Promise<void>;
  readonly write?: (index: number) => Promise<void>;
  readonly audio?: 'keep' | 'mute';
}

const run = ({ batches, plan, write, audio = 'keep' }: Behaviour) => {
  const log: string[] = [];
  const frameOf = (index: number): VideoFrame => ({
    index,
    timestampUs: index,
    durationUs: 1,
    raster: plainRaster(SIZE.width, SIZE.height, [9, 9, 9]),
  });
  const settled = (index: number): SettledFrame => ({
    frame: frameOf(index),
    plan: async () => {
      log.push(`plan ${index}`);
      await plan?.(index);
      return planFor(SIZE, []);
    },
  });
  const reader: VideoReader = {
    ...SIZE,
    frameCount: 3,
    frameDurationUs: 1,
    endUs: 480_000,
    bitRate: 1,
    copiedAudioTracks: 0,
    reencodedAudioTracks: 0,
    droppedAudioTracks: [1],
    droppedAudioCodecs: ['ac3'],
    async *frames() {},
    release: ({ index }) => void log.push(`released ${index}`),
    lostFrames: () => 0,
    close: () => void log.push('closed'),
    createWriter: async () => ({
      add: async ({ index }) => {
        await write?.(index);
        log.push(`written ${index}`);
      },
      finish: async () => undefined,
      cancel: async () => undefined,
    }),
  };
  const planner = {
    async *frames(): AsyncGenerator<SettledFrame[]> {
      for (const batch of batches) yield batch.map(settled);
    },
  };
  const result = redactVideo(
    {
      output: { options: defaultImageOptions(), keepBitRate: false, audio, limits: LIMITS },
      files: {
        source: { sizeBytes: 1, read: async () => new Uint8Array(1) },
        target: { write: async () => undefined },
      },
      planner,
      onProgress: () => undefined,
    },
    { system: createFakeSystem(), videoCodec: { open: async () => reader } },
    new AbortController().signal,
  );
  result.catch(() => undefined);
  return { result, log };
};

describe('a video that is redacted', () => {
  it.each([[[[0], [1], [2]]], [[[0, 1, 2]]], [[[], [0], [], [1, 2]]]])(
    'plans the next frame while one is written, and no other: %j',
    async (batches) => {
      let release!: () => void;
      const written = new Promise<void>((resolve) => (release = resolve));
      const { result, log } = run({ batches, write: (index) => (index === 0 ? written : Promise.resolve()) });
      for (let i = 0; i < 50; i++) await turn();
      expect(log).toEqual(['plan 0', 'plan 1']);
      release();
      expect((await result).frameCount).toBe(3);
      expect(log.filter((line) => line.startsWith('written'))).toEqual([
        'written 0',
        'written 1',
        'written 2',
      ]);
    },
  );

  it('releases each frame once, after it is written', async () => {
    const { result, log } = run({ batches: [[0, 1], [2]], write: turn });
    await result;
    expect(log.filter((line) => !line.startsWith('plan') && line !== 'closed')).toEqual(
      [0, 1, 2].flatMap((index) => [`written ${index}`, `released ${index}`]),
    );
  });

  it('fails with the error of a plan, and writes neither its frame nor a later one', async () => {
    const plan = async (index: number): Promise<void> => {
      if (index === 1) throw new Error('no outline');
    };
    const { result, log } = run({ batches: [[0], [1], [2]], plan });
    await expect(result).rejects.toThrow('no outline');
    expect(log).not.toContain('written 1');
    expect(log).not.toContain('written 2');
  });

  it('names dropped audio only if audio was wanted', async () => {
    const [kept, muted] = [run({ batches: [[0]] }), run({ batches: [[0]], audio: 'mute' })];
    expect(await kept.result).toMatchObject({ droppedAudioTracks: 1, droppedAudioCodecs: ['ac3'] });
    expect((await muted.result).droppedAudioTracks).toBe(0);
    expect(await muted.result).not.toHaveProperty('droppedAudioCodecs');
  });

  it('closes nothing before a started plan has ended', async () => {
    let isPlanned = false;
    const plan = async (index: number): Promise<void> => {
      for (let i = 0; index === 1 && i < 20; i++) await turn();
      if (index === 1) isPlanned = true;
    };
    const write = async (): Promise<void> => {
      throw new Error('the disk is full');
    };
    const { result, log } = run({ batches: [[0], [1], [2]], plan, write });
    await expect(result).rejects.toThrow('the disk is full');
    expect(log.at(-1)).toBe('closed');
    expect(isPlanned).toBe(true);
  });
});
