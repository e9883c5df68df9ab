import { expect, it } from 'vitest';
import { findVideoMetadata } from '#shared/engine/formats/video-metadata';
import { createRaster } from '#shared/testing/rasters';
import { sound } from '../testing/bursts';
import { copyClip, encodeClip, sourceOf, type Clip } from '../testing/clips';
import { box, changeIndex } from '../testing/mp4-surgery';

const clip = (container: Clip['container']): Promise<Uint8Array> =>
  encodeClip({
    frames: [0, 0.04, 0.08].map((seconds) => [seconds, createRaster(64, 48, () => [90, 90, 90])]),
    sounds: [sound('pcm-s16', 48_000, 1), sound('pcm-s16', 48_000, 1)],
    ...(container && { container }),
  });

/** The clip with a position, a camera, and a third of its tracks turned into measurements. */
const withMetadata = (bytes: Uint8Array): Uint8Array => {
  let track = 0;
  const place = Buffer.from('\xa9xyz+52.5+013.4/', 'latin1');
  return changeIndex(bytes, (path, content) => {
    if (path === 'moov/trak/mdia/hdlr' && ++track === 3) {
      return Buffer.concat([content.subarray(0, 8), Buffer.from('meta'), content.subarray(12)]);
    }
    if (path !== 'moov') return undefined;
    const item = box(place.toString('latin1', 0, 4), place.subarray(4));
    return Buffer.concat([content, box('udta', item, box('\xa9mod', Buffer.from('X100')))]);
  });
};

const found = async (bytes: Uint8Array) => findVideoMetadata(sourceOf(bytes), 'mp4');

it('a result has none of the metadata and further tracks of its source', async () => {
  const source = withMetadata(await clip('mp4'));
  expect(await found(source)).toMatchObject({
    sourceMetadata: expect.arrayContaining(['place', 'device', 'telemetry']) as unknown,
    sourceTracks: { video: 1, audio: 1, subtitles: 0, data: 1 },
  });
  const { sourceMetadata, sourceTracks } = await found(await copyClip(source));
  // The time at which the result was written.
  expect(sourceMetadata).toEqual(['capture-time']);
  expect(sourceTracks).toEqual({ video: 1, audio: 1, subtitles: 0, data: 0 });
});

it.each(['mp4', 'mov', 'fragmented', 'mkv', 'live'] as const)(
  'the tracks of a file are counted as the codec reads them: %s',
  async (container) => {
    const bytes = await clip(container);
    const format = container === 'mkv' || container === 'live' ? 'matroska' : 'mp4';
    const { sourceTracks } = await findVideoMetadata(sourceOf(bytes), format);
    expect(sourceTracks).toEqual({ video: 1, audio: 2, subtitles: 0, data: 0 });
  },
);
