import {
  cammPacket,
  DATE_NAME,
  gpmfPayload,
  namedTexts,
  PLACE_NAME,
  userPlace,
  streetPath,
  withMetadata,
  type DataTrack,
} from '#shared/testing/mapping-clips';
import { encode, clipOf, REGULAR, type PhoneClip } from './phone-clip';
import { MARK } from './side-images';

const PLACES = streetPath(18);
/** Seconds since 1904. */
const CREATED_AT = 3_861_000_000;

const clip = (): Promise<Uint8Array> => encode(REGULAR, { container: 'mp4' });
const track = (coding: string, samples: readonly Uint8Array[]): DataTrack => ({
  ...{ coding, samples, timescale: 1000, duration: 1000 / samples.length },
});
const keeping = (bytes: PhoneClip['bytes'], more: Partial<PhoneClip>): PhoneClip =>
  clipOf(bytes, { removed: [], ...more });

/** Videos whose date, place and positions are to be kept. */
export const PLACE_CLIPS: Readonly<Record<string, PhoneClip>> = {
  'date and place as Android writes them': keeping(
    async () =>
      withMetadata(await clip(), {
        createdAt: CREATED_AT,
        boxes: [userPlace('+48.8577-002.2950/')],
      }),
    { kept: ['place', 'capture-time'] },
  ),
  'date and place as iPhones write them': keeping(
    async () =>
      withMetadata(await clip(), {
        boxes: [
          namedTexts({
            [DATE_NAME]: '2026-05-04T12:30:01+0200',
            [PLACE_NAME]: '+48.8577-002.2950+035.250/',
            'com.apple.quicktime.model': MARK,
          }),
        ],
      }),
    { kept: ['place', 'capture-time'], removed: ['device'] },
  ),
  'positions of GoPro (GPMF)': keeping(
    async () => withMetadata(await clip(), { track: track('gpmd', [gpmfPayload(PLACES, { mark: MARK })]) }),
    { kept: ['place', 'capture-time'], removed: ['telemetry'] },
  ),
  'camera motion metadata (camm)': keeping(
    async () => withMetadata(await clip(), { track: track('camm', PLACES.map(cammPacket)) }),
    { kept: ['place', 'capture-time'], removed: ['telemetry'] },
  ),
};
