/** Runs one case on an engine of its own, so that the peak memory belongs only to this case. */
import { defaultImageOptions } from '#shared/domain/options';
import { descendantsOf } from '../support/descendants';
import { CASES, middleOf, type Measured, type Run } from './job';
import { makeImage } from './images';
import { peakResidentMiB } from './resident';
import { anonymiseImage, openServerEngine } from './server-engine';

const measure = async (index: number): Promise<Measured> => {
  const one = CASES[index]!;
  const bytes = await makeImage(...one.size);
  const engine = await openServerEngine(1);
  const { backend } = await engine.load(
    defaultImageOptions(one),
    () => undefined,
    new AbortController().signal,
  );
  await anonymiseImage(engine, await makeImage(640, 480), one);
  const done: Run[] = [];
  for (let i = 0; i < one.runs; i += 1) {
    const start = performance.now();
    const { timings } = await anonymiseImage(engine, bytes, one);
    done.push({ timings, totalMs: performance.now() - start });
  }
  const peaks = descendantsOf(process.pid).map(peakResidentMiB).filter(Number.isFinite);
  const peakMiB = peaks.length > 0 ? Math.max(...peaks) : Number.NaN;
  await engine.close();
  return { ...middleOf(done), backend, peakMiB };
};

process.send?.(await measure(Number(process.argv[2])));
process.disconnect?.();
