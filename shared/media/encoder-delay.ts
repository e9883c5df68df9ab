import { US_PER_SECOND } from '../domain/time-units';

const CODEC = 'mp4a.40.2';
/** A click in silence, far enough from both ends for an encoder's frames of up to 2048 samples. */
const CLICK = { samples: 16_384, at: 8192, bitRate: 96_000 } as const;
/** No encoder delays by more samples; what seems to is no delay. */
const MAX_SAMPLES = 4096;
/** What comes back of a click, of 1. */
const MIN_PEAK = 0.1;

/** Runs what calls back, and gives what it said. */
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

/** @returns when the loudest sample is heard, in samples; undefined where all is quiet */
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

/** By sample rate. */
const measured = new Map<number, Promise<number>>();

/**
 * By how many samples sound comes later out of the host's AAC encoder, and a decoder, than it went in.
 *
 * Encoders begin with silence (1024 samples, 2112, …) and none says how much, so that a click is sent through. Measured
 * once; 0 where the host cannot decode what it encodes.
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
