import { expect, it } from 'vitest';
import { asHdrTransfer } from '#shared/domain/hdr';
import { LIMITS } from '#shared/domain/limits';
import { withConversion } from '#shared/engine/video/convert-video';
import { HDR_SIZE, largestToneError } from '#shared/testing/hdr-chart';
import { videoCodec } from './video-codec';
import { createVideoConverter } from './video-converter';

/** In levels of 8 bits; the same on the server: `server/adapters/hdr-video.test.ts`. */
const TOLERANCE = 2;
/** The converter encodes once more, with 10 bits. */
const CONVERTED_TOLERANCE = 3;

const LOG = { info: () => undefined, error: () => undefined };
const codec = withConversion(videoCodec, createVideoConverter(LOG));

const open = async (name: string) => {
  const file = await (await fetch(new URL(`../../shared/testing/hdr-files/${name}`, import.meta.url))).blob();
  const read = async (start: number, end: number): Promise<Uint8Array> =>
    new Uint8Array(await file.slice(start, end).arrayBuffer());
  return codec.open({ sizeBytes: file.size, read, handle: file }, LIMITS);
};

it.each([
  ['hlg-vp9.webm', 'hlg', TOLERANCE],
  ['pq-av1.mp4', 'pq', TOLERANCE],
  ['hlg-hevc.mp4', 'hlg', CONVERTED_TOLERANCE],
  ['pq-hevc.mp4', 'pq', CONVERTED_TOLERANCE],
] as const)(
  'the page maps a video from high dynamic range as the server does: %s',
  async (name, transfer, tolerance) => {
    const reader = await open(name);
    let frames = 0;
    for await (const { raster } of reader.frames(new AbortController().signal)) {
      expect(raster).toMatchObject(HDR_SIZE);
      expect(largestToneError(raster, transfer)).toBeLessThanOrEqual(tolerance);
      frames++;
    }
    expect(frames).toBe(3);
    expect(asHdrTransfer(reader.toneMapped?.())).toBe(transfer);
    reader.close();
  },
);

// The library fills in what a file does not state, because browsers need it.
it('the page refuses a video that states no primaries, and guesses none', async () => {
  const reader = await open('pq-no-primaries.mp4');
  const first = reader.frames(new AbortController().signal)[Symbol.asyncIterator]().next();
  await expect(first).rejects.toThrow(/does not state the primaries/);
  reader.close();
});

it('the page refuses a video whose colours change, and does not convert it', async () => {
  await expect(open('hlg-ends-hevc.mp4')).rejects.toThrow(
    /different dynamic ranges \(transfers\) or colours/,
  );
});
