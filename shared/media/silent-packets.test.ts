import { EncodedPacket } from 'mediabunny';
import { describe, expect, it } from 'vitest';
import {
  readAacSettings,
  silentAacPacket,
  mutedConfig,
  packetSilencer,
  type SilencePacket,
  opusPacketSamples,
  readOpusSettings,
  silentOpusPacket,
} from './silent-packets';

const packetAt = (timestamp: number, duration: number, data = [1, 2, 3, 4]): EncodedPacket =>
  new EncodedPacket(Uint8Array.from(data), 'key', timestamp, duration);
const silencer = (
  codec: 'aac' | 'opus' | 'flac' | 'pcm-s16',
  rate: number,
  description?: readonly number[],
) =>
  packetSilencer(codec, {
    ...{ codec, sampleRate: rate, numberOfChannels: 1 },
    ...(description && { description: Uint8Array.from(description) }),
  })!;
/** Numbers of the packets that are silenced, among ten of equal length. */
const silenced = (silence: SilencePacket, seconds: number, from: number, until: number): number[] => {
  const packets = Array.from({ length: 10 }, (_, index) => packetAt(index * seconds, seconds));
  return packets.flatMap((packet, index) =>
    silence(packet, packets[index + 1], [{ from, until }]) ? [index] : [],
  );
};

describe('packets of AAC', () => {
  const LC_48000_STEREO = [0x11, 0x90];
  it('are silenced if they or the packets behind them are heard in the range', () => {
    const silence = silencer('aac', 48_000, LC_48000_STEREO);
    const seconds = 1024 / 48_000;
    expect(silenced(silence, seconds, 4.2 * seconds, 5.5 * seconds)).toEqual([3, 4, 5]);
    expect(silenced(silence, seconds, 4.99 * seconds, 5.01 * seconds)).toEqual([3, 4, 5]);
    expect(silenced(silence, seconds, 100, 101)).toEqual([]);
  });

  it('can be silent only with low complexity and a usual layout of channels', () => {
    expect(readAacSettings(Uint8Array.of(0x12, 0x08))).toMatchObject({
      ...{ sampleRate: 44_100, packetSamples: 1024, channelConfiguration: 1 },
    });
    const withoutReplication = [0x11, 0x90, 0x56, 0xe5, 0x00];
    expect(readAacSettings(Uint8Array.from(withoutReplication))).toBeDefined();
    const refused = {
      'main profile': [0x09, 0x90],
      'HE-AAC': [0x2b, 0x11, 0x88],
      'own layout': [0x11, 0x80],
    };
    for (const [name, config] of Object.entries(refused)) {
      expect(readAacSettings(Uint8Array.from(config)), name).toBeUndefined();
    }
    expect(readAacSettings(Uint8Array.of(0x11, 0x90, 0x56, 0xe5, 0x80)), 'replication').toBeUndefined();
  });

  it('have an element for each channel or pair', () => {
    const bytesOf = (channelConfiguration: number) =>
      silentAacPacket({ sampleRate: 48_000, packetSamples: 1024, channelConfiguration }).byteLength;
    expect([1, 2, 6].map(bytesOf)).toEqual([4, 6, 19]);
  });
});

describe('packets of Opus', () => {
  const head = (streams: number): number[] => [
    ...new TextEncoder().encode('OpusHead'),
    ...[1, 2, 0x38, 0x01, 0x80, 0xbb, 0, 0, 0, 0],
    ...(streams === 1 ? [0] : [1, streams, 1]),
  ];
  const SILENT = { streams: 1, preSkip: 312 };

  it.each([
    ['2.5 ms', [0xe0], 120],
    ['20 ms of CELT', [0xfc], 960],
    ['60 ms of SILK', [0x18], 2880],
    ['two frames of 10 ms', [0xf1], 960],
    ['six frames of 20 ms', [0xfb, 6], 5760],
  ])('keep their length: %s', (_name, packet, samples) => {
    const original = Uint8Array.from(packet);
    expect(opusPacketSamples(original)).toBe(samples);
    expect(opusPacketSamples(silentOpusPacket(SILENT, original))).toBe(samples);
  });

  it('have one silent frame for each of their streams', () => {
    expect(readOpusSettings(Uint8Array.from(head(2)))).toEqual({ streams: 2, preSkip: 312 });
    const packet = silentOpusPacket({ streams: 2, preSkip: 312 }, Uint8Array.of(0xf8));
    expect([...packet]).toEqual([0xf8, 2, 0xff, 0xfe, 0xf8, 0xff, 0xfe]);
  });

  it('are silenced also where the samples that players skip may shift them', () => {
    const silence = silencer('opus', 48_000, head(1));
    const packets = Array.from({ length: 5 }, (_, index) => packetAt(index * 0.02, 0.02, [0xf8, 1]));
    const changed = packets.map((packet, index) =>
      Boolean(silence(packet, packets[index + 1], [{ from: 0.045, until: 0.05 }])),
    );
    expect(changed).toEqual([true, true, true, false, false]);
  });
});

describe('packets of FLAC', () => {
  const INFO = [
    ...[0x66, 0x4c, 0x61, 0x43, 0x80, 0, 0, 34, 0x12, 0, 0x12, 0, 0, 0, 9, 0, 9, 9],
    ...[0x0b, 0xb8, 0x02, 0xf0, 0, 0, 0, 0, ...Array.from({ length: 16 }, () => 7)],
  ];
  /** A frame of 4096 samples with two channels, the second as a difference, and the checksum of its header. */
  const FRAME = [0xff, 0xf8, 0xc9, 0x88, 0x00, 0x42, 1, 2, 3, 4, 5, 6];

  it('are silenced alone, because they are decoded without those next to them', () => {
    const silence = silencer('flac', 48_000, INFO);
    const packet = (at: number) => packetAt(at, 4096 / 48_000, FRAME);
    const silencedFrom = (from: number) =>
      silence(packet(1), packet(1 + 4096 / 48_000), [{ from, until: from + 1 }]) !== undefined;
    expect([1.05, 1.08, 1.1].map(silencedFrom)).toEqual([true, true, false]);
  });

  it('keep their header and their length, and have a value of 0 for each channel', () => {
    const silent = silencer('flac', 48_000, INFO)(packetAt(0, 0.1, FRAME), undefined, [
      { from: 0, until: 1 },
    ])!;
    expect([...silent.subarray(0, 6)]).toEqual(FRAME.slice(0, 6));
    // Two heads of 8 bits and values of 16 and 17 bits, then the checksum.
    expect(silent.byteLength).toBe(6 + 7 + 2);
    expect([...silent.subarray(6, 13)].every((byte) => byte === 0)).toBe(true);
  });

  it('that are damaged are refused, not passed on', () => {
    const silence = silencer('flac', 48_000, INFO);
    expect(() => silence(packetAt(0, 0.1, [1, 2, 3]), undefined, [{ from: 0, until: 1 }])).toThrow('damaged');
  });

  it('of a muted track come without the digest of the original sound', () => {
    const config = { codec: 'flac', sampleRate: 48_000, numberOfChannels: 2 };
    const { description } = mutedConfig('flac', { ...config, description: Uint8Array.from(INFO) });
    expect([...(description as Uint8Array)].includes(7)).toBe(false);
  });
});

it('PCM is silenced to the sample, also where the muxer moves it to close a gap', () => {
  const silence = silencer('pcm-s16', 1000);
  const second = Array.from({ length: 20 }, () => 7);
  const first = silence(packetAt(0, 0.01, second), undefined, [{ from: 0.002, until: 0.004 }])!;
  expect([...first]).toEqual([7, 7, 7, 7, 0, 0, 0, 0, ...Array.from({ length: 12 }, () => 7)]);
  const moved = silence(packetAt(0.012, 0.01, second), undefined, [{ from: 0.014, until: 0.016 }])!;
  const samples = Array.from({ length: 10 }, (_, at) => moved[2 * at]);
  expect(samples).toEqual([7, 7, 0, 0, 0, 0, 7, 7, 7, 7]);
});

it('other codecs have no silent packets', () => {
  expect(packetSilencer('mp3', { codec: 'mp3', sampleRate: 48_000, numberOfChannels: 2 })).toBeUndefined();
  expect(
    packetSilencer('aac', { codec: 'mp4a.40.2', sampleRate: 48_000, numberOfChannels: 2 }),
  ).toBeUndefined();
});
