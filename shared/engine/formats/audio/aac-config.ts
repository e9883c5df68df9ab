import { highBitsFirst, readWithinBits, bytesOfBits, type BitReader } from './bit-reader';
import { kindOfRest, type RebuiltConfig } from './rebuilt-config';

/** The AudioSpecificConfig of a track with low complexity. */
export interface AacConfig extends RebuiltConfig {
  /** Hz; undefined where the index has no meaning. */
  readonly sampleRate: number | undefined;
  /** @see ISO/IEC 14496-3, table 1.19 */
  readonly channelConfiguration: number;
  /** Samples that a packet decodes to, without replication. */
  readonly packetSamples: number;
  /** Whether packets need more than the signal of their own: a core coder, an extension, replicated high bands. */
  readonly isExtended: boolean;
}

/** Types of audio objects. */
const OBJECT = { lowComplexity: 2, bandReplication: 5, parametricStereo: 29, escape: 31 } as const;
const SYNC = { replication: 0x2b7, stereo: 0x548 } as const;
const EXPLICIT_RATE = 15;
const SAMPLE_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
];
const BITS = 8;

/** Reads fields, and copies them into the rebuilt configuration. */
interface Copier {
  readonly source: BitReader;
  readonly copy: (count: number) => number;
  /** Appends bits that are not those of the source. */
  readonly put: (value: number, count: number) => void;
  readonly bytes: () => Uint8Array<ArrayBuffer>;
}

const createCopier = (config: Uint8Array): Copier => {
  const source = highBitsFirst(config);
  let bits = '';
  const put = (value: number, count: number): void => {
    bits += value.toString(2).padStart(count, '0').slice(0, count);
  };
  return {
    source,
    put,
    copy: (count) => {
      if (count === 0) return 0;
      const value = source.read(count);
      put(value, count);
      return value;
    },
    bytes: () => bytesOfBits(bits),
  };
};

const copyObjectType = ({ copy }: Copier): number => {
  const type = copy(5);
  return type === OBJECT.escape ? 32 + copy(6) : type;
};

/** @returns Hz */
const copyRate = ({ copy }: Copier): number | undefined => {
  const index = copy(4);
  return index === EXPLICIT_RATE ? copy(24) : SAMPLE_RATES[index];
};

/**
 * Copies a layout of channels, with an empty comment.
 *
 * @returns whether the layout has a comment
 * @see ISO/IEC 14496-3, section 4.4.1.1
 */
const copyLayout = ({ source, copy, put }: Copier): boolean => {
  copy(4 + 2 + 4);
  // Elements at the front, the side and the back, for low frequencies, with data, and for coupling.
  const [front, side, back, low, data, coupling] = [copy(4), copy(4), copy(4), copy(2), copy(3), copy(4)];
  if (copy(1)) copy(4);
  if (copy(1)) copy(4);
  if (copy(1)) copy(3);
  for (let count = front + side + back + coupling; count > 0; count--) copy(5);
  for (let count = low + data; count > 0; count--) copy(4);
  const padding = (BITS - (source.position() % BITS)) % BITS;
  source.skip(padding);
  put(0, padding);
  const comment = source.read(BITS);
  source.skip(comment * BITS);
  put(0, BITS);
  return comment > 0;
};

/** Copies what follows the channels of low complexity. @returns whether packets depend on more than themselves */
const copySignal = ({ copy }: Copier): Pick<AacConfig, 'packetSamples' | 'isExtended'> => {
  const packetSamples = copy(1) ? 960 : 1024;
  const hasCore = copy(1) === 1;
  if (hasCore) copy(14);
  return { packetSamples, isExtended: copy(1) === 1 || hasCore };
};

/** The bytes behind the fields, without the bits of the fields in the first of them. */
const restOf = (config: Uint8Array, position: number): Uint8Array => {
  const rest = config.slice(position >> 3);
  const used = position % BITS;
  if (used > 0) rest[0] = (rest[0] as number) & (0xff >> used);
  return rest;
};

/** Whether the next bits have a value. */
const isNext = ({ source }: Copier, config: Uint8Array, value: number, count: number): boolean => {
  const next = highBitsFirst(config);
  next.skip(source.position());
  return next.left() > count && next.read(count) === value;
};

/** Copies the statement about replication at the end. @returns whether packets have replicated bands */
const copyReplication = (copier: Copier, config: Uint8Array): boolean => {
  if (!isNext(copier, config, SYNC.replication * 2 ** 5 + OBJECT.bandReplication, 16)) return false;
  copier.copy(16);
  if (!copier.copy(1)) return false;
  copyRate(copier);
  if (isNext(copier, config, SYNC.stereo, 11)) copier.copy(12);
  return true;
};

const readFields = (config: Uint8Array): AacConfig | undefined => {
  const copier = createCopier(config);
  const { source, copy } = copier;
  let type = copyObjectType(copier);
  const sampleRate = copyRate(copier);
  const channelConfiguration = copy(4);
  const isReplicated = type === OBJECT.bandReplication || type === OBJECT.parametricStereo;
  if (isReplicated) {
    copyRate(copier);
    type = copyObjectType(copier);
  }
  if (type !== OBJECT.lowComplexity) return undefined;
  const { packetSamples, isExtended } = copySignal(copier);
  const hasComment = channelConfiguration === 0 && copyLayout(copier);
  const endsReplicated = !isReplicated && copyReplication(copier, config);
  return {
    ...{ bytes: copier.bytes(), sampleRate, channelConfiguration, packetSamples },
    removed: [...(hasComment ? (['text'] as const) : []), ...kindOfRest(restOf(config, source.position()))],
    isExtended: isExtended || isReplicated || endsReplicated,
  };
};

/**
 * Reads the AudioSpecificConfig of a track, and rebuilds it from its fields: bytes behind them, and the comment of a
 * layout of channels, are left out.
 *
 * @returns undefined for other profiles than low complexity, with or without replication: MP4 files of the writer here
 *   have no other
 * @see ISO/IEC 14496-3, section 1.6.2.1
 */
export const readAacConfig = (config: Uint8Array): AacConfig | undefined =>
  readWithinBits(() => readFields(config));
