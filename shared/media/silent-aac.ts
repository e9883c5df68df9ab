import { readAacConfig } from '../engine/formats/audio/aac-config';

/** AAC of a track whose packets can be replaced by silent ones. */
export interface AacSettings {
  readonly sampleRate: number;
  /** Samples that a packet decodes to. */
  readonly packetSamples: number;
  /** @see ISO/IEC 14496-3, table 1.19 */
  readonly channelConfiguration: number;
}

/** Elements of a packet; their numbers are those of the format. */
const ELEMENTS = { single: 0, pair: 1, lowFrequency: 3, end: 7 } as const;
type Element = Exclude<keyof typeof ELEMENTS, 'end'>;

const LAYOUTS: Readonly<Record<number, readonly Element[]>> = {
  1: ['single'],
  2: ['pair'],
  3: ['single', 'pair'],
  4: ['single', 'pair', 'single'],
  5: ['single', 'pair', 'pair'],
  6: ['single', 'pair', 'pair', 'lowFrequency'],
  7: ['single', 'pair', 'pair', 'pair', 'lowFrequency'],
};

const BITS = 8;

/**
 * Reads the AudioSpecificConfig of a track.
 *
 * @returns undefined where silent packets cannot be built: other profiles than low complexity carry signals from packet
 *   to packet, or have parts that are not built here
 * @see ISO/IEC 14496-3, section 1.6.2.1
 */
export const readAacSettings = (config: Uint8Array): AacSettings | undefined => {
  const { sampleRate, packetSamples, channelConfiguration, isExtended } = readAacConfig(config) ?? {};
  if (!sampleRate || !packetSamples || channelConfiguration === undefined || isExtended) return undefined;
  return LAYOUTS[channelConfiguration] && { sampleRate, packetSamples, channelConfiguration };
};

/** Bits of a channel without signal. Its window covers the whole packet, and no band has values. */
const CHANNEL = { gain: '00000000', window: '00000000000', pulseNoiseAndGain: '000' } as const;
const COMMON_WINDOW = '1';
const NO_STEREO_MASK = '00';

const elementBits = (element: Element, instance: number): string => {
  const { gain, window, pulseNoiseAndGain } = CHANNEL;
  const head = ELEMENTS[element].toString(2).padStart(3, '0') + instance.toString(2).padStart(4, '0');
  if (element !== 'pair') return head + gain + window + pulseNoiseAndGain;
  const channel = gain + pulseNoiseAndGain;
  return head + COMMON_WINDOW + window + NO_STEREO_MASK + channel + channel;
};

/**
 * A packet that decodes to silence, as a raw_data_block.
 *
 * @see ISO/IEC 14496-3, section 4.4.2
 */
export const silentAacPacket = ({ channelConfiguration }: AacSettings): Uint8Array => {
  const layout = LAYOUTS[channelConfiguration] ?? [];
  const elements = layout.map((element, i) =>
    elementBits(element, layout.slice(0, i).filter((other) => other === element).length),
  );
  const bits = elements.join('') + ELEMENTS.end.toString(2);
  return Uint8Array.from({ length: Math.ceil(bits.length / BITS) }, (_, i) =>
    parseInt(bits.slice(i * BITS, (i + 1) * BITS).padEnd(BITS, '0'), 2),
  );
};
