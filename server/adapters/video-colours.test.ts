import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  Input,
  Mp4OutputFormat,
  Output,
  Quality,
  VideoSample,
  VideoSampleSink,
  VideoSampleSource,
} from 'mediabunny';
import { describe, expect, it } from 'vitest';
import { pixelAt } from '#shared/testing/rasters';
import { copyClip, framesOf, openClip } from '../testing/clips';

const PATCH = 32;
const HEIGHT = 32;
type Code = readonly [y: number, u: number, v: number];

const [BT_709, BT_601] = [
  { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709' },
  { primaries: 'bt470bg', transfer: 'smpte170m', matrix: 'bt470bg' },
] as const;
/** YUV codes of red, green, blue, yellow, black, white and a dark grey, in each standard. */
const HDTV: readonly Code[] = [
  [63, 102, 240],
  [173, 42, 26],
  [32, 240, 118],
  [219, 16, 138],
  [16, 128, 128],
  [235, 128, 128],
  [30, 128, 128],
];
const SDTV: readonly Code[] = [
  [81, 90, 240],
  [145, 54, 34],
  [41, 240, 110],
  [210, 16, 146],
  [16, 128, 128],
  [235, 128, 128],
  [30, 128, 128],
];
const COLOURS = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 0],
  [0, 0, 0],
  [255, 255, 255],
  [16, 16, 16],
] as const;
const toFullRange = (codes: readonly Code[]): Code[] =>
  codes.map(([y, u, v]) => {
    const wide = (value: number, middle: number, span: number, to: number): number =>
      Math.max(0, Math.min(255, Math.round(((value - middle) * 255) / span) + to));
    return [wide(y, 16, 219, 0), wide(u, 128, 224, 128), wide(v, 128, 224, 128)];
  });

/** A clip that is encoded from planes, so that its YUV codes are known. */
const clipOf = async (codes: readonly Code[], colorSpace: VideoColorSpaceInit): Promise<Uint8Array> => {
  // Installs WebCodecs on `globalThis`; the file itself cannot be opened.
  await openClip(new Uint8Array(1)).catch(() => undefined);
  const width = codes.length * PATCH;
  const plane = (index: 0 | 1 | 2, columns: number, rows: number): number[] =>
    Array.from({ length: columns * rows }, (_, at) => {
      const patch = Math.floor(((at % columns) * codes.length) / columns);
      return (codes[patch] as Code)[index];
    });
  const data = Uint8Array.from([
    ...plane(0, width, HEIGHT),
    ...plane(1, width / 2, HEIGHT / 2),
    ...plane(2, width / 2, HEIGHT / 2),
  ]);
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat(), target });
  const video = new VideoSampleSource({ codec: 'avc', quality: new Quality({ quantizer: 4, bitrate: 5e6 }) });
  output.addVideoTrack(video);
  await output.start();
  for (const timestamp of [0, 0.04, 0.08]) {
    const size = { codedWidth: width, codedHeight: HEIGHT };
    using sample = new VideoSample(data, { format: 'I420', ...size, timestamp, duration: 0.04, colorSpace });
    await video.add(sample);
  }
  await output.finalize();
  return new Uint8Array(target.buffer as ArrayBuffer);
};

/** The colour tags of the first frame, and the YUV codes of each patch. */
const codedIn = async (clip: Uint8Array) => {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(clip) });
  const track = (await input.getPrimaryVideoTrack())!;
  using sample = (await new VideoSampleSink(track).getSample(0))!;
  const data = new Uint8Array(sample.allocationSize());
  const planes = await sample.copyTo(data);
  const patches = Array.from({ length: sample.codedWidth / PATCH }, (_, patch) =>
    planes.map(({ offset, stride }, plane) => {
      const [x, y] = [(patch + 0.5) * PATCH, HEIGHT / 2].map((at) => (plane === 0 ? at : at / 2));
      return data[offset + y! * stride + x!]!;
    }),
  );
  return { tags: await track.getColorSpace(), decodedTags: sample.colorSpace.toJSON(), patches };
};

const TOLERANCE = 2;

describe.each([
  ['BT.709', { ...BT_709, fullRange: false }, HDTV],
  ['BT.601', { ...BT_601, fullRange: false }, SDTV],
  ['BT.709 of full range', { ...BT_709, fullRange: true }, toFullRange(HDTV)],
  ['BT.601 of full range', { ...BT_601, fullRange: true }, toFullRange(SDTV)],
] as const)('a video of %s', (_name, tags, codes) => {
  it('keeps its colours, and its tags in the container and in the stream', async () => {
    const source = await clipOf(codes, tags);
    const [before, after] = [await codedIn(source), await codedIn(await copyClip(source))];
    expect(before.tags).toEqual(tags);
    expect([after.tags, after.decodedTags]).toEqual([tags, tags]);
    for (const [patch, code] of codes.entries()) {
      for (const [plane, value] of code.entries()) {
        expect(Math.abs(after.patches[patch]![plane]! - value), `${patch}/${plane}`).toBeLessThanOrEqual(
          TOLERANCE,
        );
      }
    }
  });

  it('is decoded to the same colours that players show', async () => {
    const [frame] = await framesOf(await clipOf(codes, tags));
    for (const [patch, colour] of COLOURS.entries()) {
      const seen = pixelAt(frame!.raster, (patch + 0.5) * PATCH, HEIGHT / 2);
      for (const [channel, value] of colour.entries()) {
        expect(Math.abs(seen[channel]! - value), `${patch}/${channel}`).toBeLessThanOrEqual(TOLERANCE);
      }
    }
  });
});
