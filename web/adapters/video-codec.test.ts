import { afterEach, expect, it, vi } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import { MP4_START } from '#shared/testing/ramp-images';
import { videoCodec } from './video-codec';

const source = { sizeBytes: MP4_START.byteLength, read: async () => MP4_START };

afterEach(() => vi.unstubAllGlobals());

it('a browser without a video decoder is reported with a sentence that names the missing API', async () => {
  await expect(videoCodec.open(source, LIMITS)).rejects.toMatchObject({
    name: 'UnreadableFile',
    message: expect.stringContaining('WebCodecs') as string,
  });
});

it('a damaged video is reported with a sentence that describes the damage', async () => {
  vi.stubGlobal('VideoDecoder', class {});
  await expect(videoCodec.open(source, LIMITS)).rejects.toMatchObject({
    name: 'UnreadableFile',
    message: expect.not.stringContaining('WebCodecs') as string,
  });
});
