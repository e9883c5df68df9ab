import type { KeptInVideo } from '#shared/domain/kept-in-video';
import type { Report } from '#shared/api/contract/schemas-report';
import type { Send } from '#shared/testing/conformance';
import { filePart } from '#shared/testing/conformance-steps';
import {
  DATE_NAME,
  gpmfPayload,
  namedTexts,
  PLACE_NAME,
  streetPath,
  withMetadata,
} from '#shared/testing/mapping-clips';
import { createRaster } from '#shared/testing/rasters';
import { packetsOf, sound } from '../server/testing/bursts';
import { encodeClip } from '../server/testing/clips';
import { keptOf } from '../server/testing/keep-clip';
import { expect, HOSTS, test } from './support/hosts';
import { json, postParts } from './support/upload';

const MARK = 'LEAKNAME';
const PLACES = streetPath(36);

const footage = async (): Promise<Uint8Array> => {
  const clip = await encodeClip({
    frames: Array.from({ length: 50 }, (_, i) => [i * 0.04, createRaster(64, 48, () => [90, i, 90])]),
    sounds: [sound('aac', 48_000, 1)],
  });
  const samples = [PLACES.slice(0, 18), PLACES.slice(18)].map((part) => gpmfPayload(part, { mark: MARK }));
  return withMetadata(clip, {
    createdAt: 3_861_000_000,
    boxes: [
      namedTexts({
        ...{ [DATE_NAME]: '2026-05-04T12:30:01+0200', [PLACE_NAME]: '+48.8577-002.2950+035.250/' },
        'com.apple.quicktime.model': MARK,
      }),
    ],
    track: { coding: 'gpmd', timescale: 1000, duration: 1000, samples },
  });
};

/** The result of a video, and what its report says of metadata. */
const processed = async (send: Send, bytes: Uint8Array, query: string) => {
  const upload = await postParts(send, [filePart(bytes, 'ride.mp4', 'video/mp4')], query);
  const { id } = json<{ id: string }>(upload);
  const get = (what: string) => send({ method: 'GET', url: `/v1/file/${id}/${what}` });
  const result = (await get('video/anonymised')).body;
  const { metadata, tracks } = json<Report>(await get('report'));
  return { result, metadata, tracks };
};

test.describe('date, place and positions of a video', () => {
  test('are in the results of both hosts on request, equal, next to its sound, and nothing else is', async ({
    sendTo,
  }) => {
    const source = await footage();
    const kept: KeptInVideo[] = [];
    for (const host of HOSTS) {
      const { result, metadata, tracks } = await processed(sendTo[host], source, 'keep-metadata=true');
      kept.push(await keptOf(result));
      expect(metadata).toEqual({ removed: ['telemetry', 'device'], kept: ['place', 'capture-time'] });
      expect(tracks?.in_result).toEqual({ video: 1, audio: 1, data: 1 });
      expect(Buffer.from(result).includes(MARK)).toBe(false);
      expect(await packetsOf(result)).toEqual(await packetsOf(source));
    }
    const [onServer, inPage] = kept;
    expect(inPage).toEqual(onServer);
    expect(onServer?.positions).toHaveLength(PLACES.length);
    expect(onServer).toMatchObject({ ...(await keptOf(source)), positions: expect.any(Array) as unknown });
  });

  test('are in no result without the request', async ({ sendTo }) => {
    const source = await footage();
    for (const host of HOSTS) {
      const { result, metadata, tracks } = await processed(sendTo[host], source, '');
      const { createdAt, ...rest } = await keptOf(result);
      expect(createdAt).not.toBe(3_861_000_000);
      expect(rest).toEqual({ positions: [] });
      expect(metadata).toEqual({ removed: ['place', 'telemetry', 'capture-time', 'device'], kept: [] });
      expect(tracks?.in_result).toEqual({ video: 1, audio: 1 });
      for (const leak of [MARK, 'gpmd', 'camm']) expect(Buffer.from(result).includes(leak)).toBe(false);
    }
  });
});
