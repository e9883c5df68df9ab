import { expect, it } from 'vitest';
import { boundedQueue, collectClosedFrames, withKnownLevel } from './package-codecs';
import { loadWebCodecs } from './video-backend';

const MIB = 1024 ** 2;

const setUp = () => {
  const log = { closed: 0, collected: 0 };
  class Frame {
    closed = false;
    allocationSize(): number {
      return 16 * MIB;
    }
    close(): void {
      this.closed = true;
      log.closed++;
    }
  }
  const collect = (): void => void log.collected++;
  collectClosedFrames(Frame.prototype, collect);
  return { Frame, log, collect };
};

it('garbage is collected after each 64 MiB of closed frames, which are closed before', () => {
  const { Frame, log } = setUp();
  const collectedAt = Array.from({ length: 9 }, () => {
    new Frame().close();
    return log.collected;
  });
  expect(collectedAt).toEqual([0, 0, 0, 1, 1, 1, 1, 2, 2]);
  expect(log.closed).toBe(9);
});

it('a frame that is closed twice counts once, and so does a class that is given twice', () => {
  const { Frame, log, collect } = setUp();
  collectClosedFrames(Frame.prototype, collect);
  const frame = new Frame();
  for (let i = 0; i < 8; i++) frame.close();
  expect(log.collected).toBe(0);
});

it.each([
  [1, 19],
  [2, 20],
  [15, 33],
  [64, 33],
])(
  'on %i cores a queue is full for mediabunny when more packets wait than a decoder keeps before its first frame, %i',
  (cores, kept) => {
    const waiting = [0, 1, kept, kept + 1, 41];
    expect(waiting.map((one) => boundedQueue(one, cores))).toEqual([0, 1, kept, Infinity, Infinity]);
  },
);

it('level 1b of H.264 is decoded, and other codec strings stay', async () => {
  const { VideoDecoder } = (await loadWebCodecs()) as unknown as typeof globalThis;
  const config = { codec: 'avc1.42C009', codedWidth: 64, codedHeight: 64 };
  expect(await VideoDecoder.isConfigSupported(config)).toMatchObject({ supported: true });
  for (const codec of ['avc1.42C00A', 'avc1.640009x', 'hev1.1.6.L93.09', 'vp8']) {
    expect(withKnownLevel({ codec })).toEqual({ codec });
  }
});
