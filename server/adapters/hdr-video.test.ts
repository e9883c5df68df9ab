import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_FORMATS, BufferSource, Input, VideoSampleSink } from 'mediabunny';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import { rasterOfYuv } from '#shared/engine/pixels/yuv';
import { withConversion } from '#shared/engine/video/convert-video';
import { createFakeLog } from '#shared/testing/fake-system';
import { HDR_SIZE, largestToneError } from '#shared/testing/hdr-chart';
import { hdrFile } from '#shared/testing/hdr-files';
import { findFfmpeg } from './find-ffmpeg';
import { createFfmpegVideoCodec, videoCodec } from './video-backend';
import { createVideoConverter } from './video-converter';
import { copyClip, framesOf, openClip, sourceOf } from '../testing/clips';
import { temporaryFolder } from '../testing/temporary-folder';

const ffmpeg = await findFfmpeg(undefined, process.env);

/** In levels of 8 bits; the same in the page: `web/adapters/hdr-video.browser.test.tsx`. */
const TOLERANCE = 2;
/** What the encoder of the result may change in addition. */
const CODED_TOLERANCE = 6;

/** Codec and colours that a file states. */
const stated = async (bytes: Uint8Array) => {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  const track = (await input.getPrimaryVideoTrack())!;
  return { codec: await track.getCodecParameterString(), tags: await track.getColorSpace() };
};

/** The file with another byte behind some bytes. */
const patched = (bytes: Uint8Array, after: readonly number[], value: number): Uint8Array => {
  const copy = Buffer.from(bytes);
  const at = copy.indexOf(Buffer.from(after));
  if (at < 0) throw new Error('The file has no such bytes.');
  copy[at + after.length] = value;
  return copy;
};
/** The beginning of the box `colr`, up to the high byte of the transfer. */
const COLR_TRANSFER = [...Buffer.from('colrnclx'), 0, 9, 0];

const FILES = [
  ['hlg-vp9.webm', 'hlg'],
  ['pq-av1.mp4', 'pq'],
  ['hlg-hevc.mp4', 'hlg'],
  ['pq-hevc.mp4', 'pq'],
  ['dolby-8-4.mp4', 'hlg'],
] as const;

describe.each(FILES)('a video in high dynamic range: %s', (name, transfer) => {
  it('is mapped to standard range by the formulas, before anything sees its frames', async () => {
    const reader = await openClip(hdrFile(name));
    const frames = [];
    for await (const frame of reader.frames(new AbortController().signal)) frames.push(frame);
    expect(frames).toHaveLength(3);
    expect(frames[0]!.raster).toMatchObject(HDR_SIZE);
    const errors = frames.map(({ raster }) => largestToneError(raster, transfer));
    expect(Math.max(...errors)).toBeLessThanOrEqual(TOLERANCE);
    expect(reader.toneMapped?.()).toBe(transfer);
    reader.close();
  });

  it('becomes BT.709 of 8 bits, without a trace of the range before', async () => {
    const copy = await copyClip(hdrFile(name));
    expect(await stated(copy)).toEqual({
      codec: expect.stringMatching(/^avc1\.(42|4d|64)/) as string,
      tags: { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false },
    });
    const boxes = ['mdcv', 'clli', 'dvcC', 'dvvC', 'hvcC'];
    expect(boxes.filter((box) => Buffer.from(copy).includes(box))).toEqual([]);
    const [frame] = await framesOf(copy);
    expect(largestToneError(frame!.raster, transfer)).toBeLessThanOrEqual(CODED_TOLERANCE);
  });
});

describe('a video whose colours cannot be known is refused in one sentence:', () => {
  it.each(['dolby-5.mp4', 'dolby-5.mkv'])('Dolby Vision without a base layer, %s', async (name) => {
    await expect(openClip(hdrFile(name))).rejects.toMatchObject({
      name: 'UnreadableFile',
      message:
        "The video is in Dolby Vision profile 5, which only Dolby's own decoders can show; export it in standard range, HLG or HDR10 first.",
    });
  });

  it.each([
    'pq-ends-av1.mp4',
    'hlg-ends-hevc.mp4',
    'range-ends-h264.mp4',
    'range-ends-vp9.webm',
    'range-ends-av1.mp4',
  ])('colours that change within the file, %s', async (name) => {
    const reader = await openClip(hdrFile(name));
    const frames = reader.frames(new AbortController().signal)[Symbol.asyncIterator]();
    for (let good = 0; good < 3; good++) expect((await frames.next()).done).toBe(false);
    await expect(frames.next()).rejects.toThrow(/different dynamic ranges \(transfers\) or colours/);
    reader.close();
  });

  it.skipIf(!ffmpeg)(
    'colours that change within a file that is not demuxed before its conversion',
    async () => {
      const [from, path] = ['from.mp4', 'joined.ts'].map((name) => join(temporaryFolder(), name)) as [
        string,
        string,
      ];
      writeFileSync(from, hdrFile('range-ends-h264.mp4'));
      execFileSync(ffmpeg!.path, ['-v', 'error', '-i', from, '-c', 'copy', path]);
      const handle = { path, convertedPath: `${path}.converted.mp4` };
      const codec = withConversion(videoCodec, createVideoConverter(ffmpeg!, createFakeLog()));
      const opening = codec.open({ ...sourceOf(readFileSync(path)), handle }, LIMITS);
      await expect(opening).rejects.toThrow(/different dynamic ranges \(transfers\) or colours/);
    },
  );

  // The package's decoder repeats what the file states.
  it.skipIf(!ffmpeg)('a transfer that differs between the file and its images', async () => {
    const codec = createFfmpegVideoCodec(ffmpeg!, 1);
    const reader = await codec.open(sourceOf(patched(hdrFile('hlg-hevc.mp4'), COLR_TRANSFER, 1)), LIMITS);
    const first = reader.frames(new AbortController().signal)[Symbol.asyncIterator]().next();
    await expect(first).rejects.toThrow(/different dynamic ranges/);
    reader.close();
  });
});

/** What its matrix alone makes of the planes of each frame, which are BT.709. */
const convertedPlanes = async (clip: Uint8Array): Promise<Buffer[]> => {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(clip) });
  const converted: Buffer[] = [];
  for await (const sample of new VideoSampleSink((await input.getPrimaryVideoTrack())!).samples()) {
    using frame = sample;
    const { width, height } = frame.visibleRect;
    const bytes = new Uint8Array(frame.allocationSize());
    const [y, u, v] = await frame.copyTo(bytes);
    const planes = {
      y: bytes.subarray(y!.offset),
      u: bytes.subarray(u!.offset),
      v: bytes.subarray(v!.offset),
    };
    const strides = { strideY: y!.stride, strideUv: u!.stride, shiftX: 1, shiftY: 1 } as const;
    const coding = { matrix: 'bt709', fullRange: false } as const;
    converted.push(Buffer.from(rasterOfYuv({ width, height, ...planes, ...strides }, coding).data));
  }
  return converted;
};

it('a video in standard range is not mapped: its frames have the bytes that its matrix alone gives them', async () => {
  const copy = await copyClip(hdrFile('hlg-vp9.webm'));
  const reader = await openClip(copy);
  const frames = [];
  for await (const { raster } of reader.frames(new AbortController().signal)) {
    frames.push(Buffer.from(raster.data));
  }
  expect(reader.toneMapped?.()).toBeUndefined();
  reader.close();
  expect(frames).toHaveLength(3);
  for (const [i, bytes] of (await convertedPlanes(copy)).entries()) {
    expect(Buffer.compare(frames[i]!, bytes), `frame ${i}`).toBe(0);
  }
});
