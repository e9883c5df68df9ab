import { expect, it, vi } from 'vitest';
import { LIMITS } from '../domain/limits';
import { UnsupportedCoding } from '../domain/failure';
import { hdrFile } from '../testing/hdr-files';
import { videoCodec } from './video-codec';

const open = (name: string) => {
  const bytes = hdrFile(name);
  const read = async (start: number, end: number): Promise<Uint8Array> => bytes.subarray(start, end);
  return videoCodec.open({ sizeBytes: bytes.byteLength, read }, LIMITS);
};

// What the browser cannot decode, ffmpeg converts to a file that states one set of colours.
it.each([
  'hlg-ends-hevc.mp4',
  'range-ends-h264.mp4',
  'range-ends-vp9.webm',
  'range-ends-av1.mp4',
  'pq-ends-av1.mp4',
])('a video whose colours change is refused before it is converted: %s', async (name) => {
  vi.stubGlobal('VideoDecoder', undefined);
  await expect(open(name)).rejects.toThrow(/different dynamic ranges \(transfers\) or colours/);
});

it.each(['hlg-hevc.mp4', 'pq-av1.mp4'])(
  'a video whose colours stay the same may be converted: %s',
  async (name) => {
    vi.stubGlobal('VideoDecoder', undefined);
    await expect(open(name)).rejects.toThrow(UnsupportedCoding);
  },
);
