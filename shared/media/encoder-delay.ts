import { US_PER_SECOND } from '../domain/plan';

const CODEC = 'mp4a.40.2';
/** A click in silence. Its distance to both ends is longer than an encoder's frame (up to 2048 samples). */
const CLICK = { samples: 16_384, at: 8192, bitRate: 96_000 } as const;
/** Maximum plausible delay. A larger measured value is an error of the measurement and ignored. */
const MAX_SAMPLES = 4096;
/** Minimum level at which the decoded click is recognised; the original has 1. */
const MIN_PEAK = 0.1;

/** Collects all items that `run` passes to its output callback. @throws the first error it reported */
const gather = async <Item>(
  run: (output: (item: Item) => void, error: (error: Error) => void) => Promise<void>,
): Promise<Item[]> => {
  const items: Item[] = [];
  let fault: Error | undefined;
  await run(
    (item) => items.push(item),
    (error) => (fault ??= error),
  );
  if (fault !== undefined) throw fault;
  return items;
};

interface Coded {
  readonly chunk: EncodedAudioChunk;
  readonly config: AudioDecoderConfig | undefined;
}

const encodeClick = (sampleRate: number): Promise<Coded[]> =>
  gather<Coded>(async (add, error) => {
    const encoder = new AudioEncoder({
      output: (chunk, meta) => add({ chunk, config: meta?.decoderConfig }),
      error,
    });
    encoder.configure({ codec: CODEC, sampleRate, numberOfChannels: 1, bitrate: CLICK.bitRate });
    const levels = new Float32Array(CLICK.samples);
    levels[CLICK.at] = 1;
    const data = new AudioData({
      data: levels,
      format: 'f32-planar',
      sampleRate,
      numberOfChannels: 1,
      numberOfFrames: CLICK.samples,
      timestamp: 0,
    });
    encoder.encode(data);
    data.close();
    await encoder.flush();
    encoder.close();
  });

const decodeAll = (coded: readonly Coded[], config: AudioDecoderConfig): Promise<AudioData[]> =>
  gather<AudioData>(async (output, error) => {
    const decoder = new AudioDecoder({ output, error });
    decoder.configure(config);
    for (const { chunk } of coded) decoder.decode(chunk);
    await decoder.flush();
    decoder.close();
  });

/** @returns position of the loudest sample, counted from time 0; undefined where all are quieter than `MIN_PEAK` */
const loudest = (decoded: readonly AudioData[], sampleRate: number): number | undefined => {
  let [peak, at]: [number, number | undefined] = [MIN_PEAK, undefined];
  for (const part of decoded) {
    const levels = new Float32Array(part.numberOfFrames);
    part.copyTo(levels, { planeIndex: 0, format: 'f32-planar' });
    const start = Math.round((part.timestamp / US_PER_SECOND) * sampleRate);
    part.close();
    for (const [index, level] of levels.entries()) {
      if (Math.abs(level) > peak) [peak, at] = [Math.abs(level), start + index];
    }
  }
  return at;
};

const measure = async (sampleRate: number): Promise<number> => {
  const coded = await encodeClick(sampleRate);
  const config = coded.find((one) => one.config)?.config;
  const heard = config && loudest(await decodeAll(coded, config), sampleRate);
  const delay = heard === undefined ? 0 : heard - CLICK.at;
  return delay > 0 && delay <= MAX_SAMPLES ? delay : 0;
};

/** Delays by sample rate. */
const measured = new Map<number, Promise<number>>();

/**
 * Delay in samples that the host's AAC encoder and decoder add together.
 *
 * Encoders begin with silence (1024 samples, 2112, …) and do not report its length. So a click is encoded, decoded and
 * located. Measured once for each sample rate; 0 where the host cannot decode AAC.
 *
 * @see ISO/IEC 14496-24, on encoder delay
 */
export const encoderDelay = (sampleRate: number): Promise<number> => {
  const known = measured.get(sampleRate);
  if (known) return known;
  const measuring = measure(sampleRate).catch(() => 0);
  measured.set(sampleRate, measuring);
  return measuring;
};
