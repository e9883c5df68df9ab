import type { HdrTransfer } from '#shared/domain/hdr';
import { HDR_SIZE } from '#shared/testing/hdr-chart';
import { hdrFile } from '#shared/testing/hdr-files';
import { withSamples } from './changed-samples';

import { box, withDescription } from './mp4-surgery';
import { numberedFramesAt, silentClip, times, type PhoneClip, type RefusedFile } from './phone-clip';
import { MARK } from './side-images';

const chart = (bytes: PhoneClip['bytes'], transfer: HdrTransfer, more: Partial<PhoneClip> = {}): PhoneClip =>
  silentClip(bytes, {
    ...{ shownFrames: numberedFramesAt(times(3, 0.1)), size: HDR_SIZE, chart: transfer, removed: [] },
    ...more,
  });
const ofServers = { isOnlyForServers: true };

/** A file whose container does not state its colours, but whose images do. */
const withoutColours = (name: string): Uint8Array => {
  const copy = Buffer.from(hdrFile(name));
  copy.write('free', copy.indexOf('colrnclx'), 'latin1');
  return copy;
};

/** Version 1.0, units with images, level 0; `compatibility` says what the base layer is. */
const dolby = (profile: number, compatibility: number): Uint8Array =>
  box('dvvC', Uint8Array.of(1, 0, profile << 1, 0x0d, compatibility << 4), new Uint8Array(19));

/** Dynamic metadata of HDR10+ (SMPTE ST 2094-40), as a unit in front of an image of HEVC. */
const withDynamicMetadata = (sample: Uint8Array): Uint8Array => {
  const content = Buffer.from(`\xb5\0\x3c\0\x01\x04\x01${MARK}`, 'latin1');
  const unit = Buffer.concat([
    Uint8Array.of(39 << 1, 1, 4, content.byteLength),
    content,
    Uint8Array.of(0x80),
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(unit.byteLength);
  return new Uint8Array(Buffer.concat([length, unit, sample]));
};

/** Videos in high dynamic range. */
export const HDR_CLIPS: Readonly<Record<string, PhoneClip>> = {
  'HLG in VP9': chart(() => hdrFile('hlg-vp9.webm'), 'hlg', { removed: ['device'] }),
  'HLG in HEVC': chart(() => hdrFile('hlg-hevc.mp4'), 'hlg'),
  'PQ in AV1': chart(() => hdrFile('pq-av1.mp4'), 'pq'),
  'PQ in HEVC (HDR10) with an absurd MaxCLL': chart(() => hdrFile('pq-hevc.mp4'), 'pq', ofServers),
  'PQ in HEVC with dynamic metadata (HDR10+)': chart(
    () => withSamples(hdrFile('pq-hevc.mp4'), withDynamicMetadata),
    'pq',
    { ...ofServers, removed: ['capture-time'] },
  ),
  'Dolby Vision of profile 8.1': chart(
    () => withDescription(hdrFile('pq-hevc.mp4'), dolby(8, 1)),
    'pq',
    ofServers,
  ),
  'Dolby Vision of profile 8.4': chart(() => hdrFile('dolby-8-4.mp4'), 'hlg', ofServers),
  'PQ that only the images state (AV1)': chart(() => withoutColours('pq-av1.mp4'), 'pq'),
  'PQ that only the images state (HEVC)': chart(() => withoutColours('pq-hevc.mp4'), 'pq', ofServers),
};

export const REFUSED_HDR: Readonly<Record<string, RefusedFile>> = {
  'Dolby Vision of profile 5': {
    bytes: () => hdrFile('dolby-5.mp4'),
    sentence: /Dolby Vision profile 5/,
  },
  'AV1 whose second half is not in PQ': {
    bytes: () => hdrFile('pq-ends-av1.mp4'),
    sentence: /different dynamic ranges/,
  },
  'HEVC whose second half is in PQ': {
    bytes: () => hdrFile('hlg-ends-hevc.mp4'),
    sentence: /different dynamic ranges \(transfers\) or colours/,
  },
  'H.264 whose second half is in full range': {
    bytes: () => hdrFile('range-ends-h264.mp4'),
    sentence: /different dynamic ranges \(transfers\) or colours/,
  },
  'VP9 whose second half is in full range': {
    bytes: () => hdrFile('range-ends-vp9.webm'),
    sentence: /different dynamic ranges \(transfers\) or colours/,
    extension: 'webm',
  },
  'PQ without primaries': {
    bytes: () => hdrFile('pq-no-primaries.mp4'),
    sentence: /does not state the primaries/,
  },
};
