/**
 * `npm run eval:fidelity`: how exact the mapping from high dynamic range is, and the effect of encoding alone on the clips
 * of `../shared/data/videos`.
 *
 * Nothing is redacted, so the similarity of whole frames to the source (SSIM of luma) is that of unredacted areas. Bit
 * rate and file size are given relative to the source.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { HDR_TRANSFERS } from '#shared/domain/hdr';
import type { Raster } from '#shared/domain/raster';
import type { VideoReader } from '#shared/ports/video';
import { endWhenOutputCloses } from '../../../server/end-when-output-closes';
import { createMemoryTarget, openClip } from './memory-clip';
import { ssim } from './ssim';
import { measureToneError } from './tone-error';

endWhenOutputCloses();

const FOLDER = new URL('../../../../shared/data/videos/', import.meta.url).pathname;
/** One of so many frames is compared. */
const COMPARE_EVERY = 5;

const encode = async (bytes: Uint8Array, keepBitRate: boolean): Promise<Uint8Array> => {
  const target = createMemoryTarget();
  const reader = await openClip(bytes);
  const writer = await reader.createWriter(target, { keepBitRate });
  for await (const frame of reader.frames(new AbortController().signal)) await writer.add(frame);
  await writer.finish();
  reader.close();
  return target.bytes();
};

async function* comparedFrames(reader: VideoReader): AsyncGenerator<Raster> {
  for await (const { index, raster } of reader.frames(new AbortController().signal)) {
    if (index % COMPARE_EVERY === 0) yield raster;
  }
}

const likeness = async (source: VideoReader, result: VideoReader): Promise<readonly [number, number]> => {
  const encoded = comparedFrames(result);
  const values: number[] = [];
  for await (const frame of comparedFrames(source)) {
    const { value } = await encoded.next();
    if (!value) throw new Error('The result has fewer frames than its source.');
    values.push(ssim(frame, value));
  }
  return [values.reduce((sum, value) => sum + value, 0) / values.length, Math.min(...values)];
};

const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;

const measure = async (name: string, keepBitRate: boolean): Promise<void> => {
  const bytes = new Uint8Array(await readFile(FOLDER + name));
  const started = performance.now();
  const result = await encode(bytes, keepBitRate);
  const seconds = (performance.now() - started) / 1000;
  const [before, after] = [await openClip(bytes), await openClip(result)];
  const rate = after.bitRate / before.bitRate;
  const [mean, min] = await likeness(before, after);
  before.close();
  after.close();
  const cells = [name, keepBitRate ? 'kept' : 'free', percent(rate), percent(result.length / bytes.length)];
  console.log(`| ${[...cells, mean.toFixed(4), min.toFixed(4), seconds.toFixed(1)].join(' | ')} |`);
};

console.log('| Mapped from | Greys: mean ΔE2000 | max | Colours: mean ΔE2000 | max |');
console.log('| --- | --- | --- | --- | --- |');
for (const transfer of HDR_TRANSFERS) {
  const { greys, chart } = measureToneError(transfer);
  const figures = [greys.mean, greys.max, chart.mean, chart.max].map((value) => value.toFixed(2));
  console.log(`| ${[transfer.toUpperCase(), ...figures].join(' | ')} |`);
}

if (existsSync(FOLDER)) {
  console.log('| Clip | Bit rate | of the source | File of the source | SSIM | Least | Seconds |');
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  for (const name of (await readdir(FOLDER)).sort()) {
    for (const keepBitRate of [true, false]) await measure(name, keepBitRate);
  }
} else {
  console.log(`No clips at ${FOLDER}.`);
}
