/** Runs one case on the server's engine, in its own process, so that the peak memory belongs only to this case. */
import { defaultImageOptions } from '#shared/domain/options';
import { LIMITS } from '#shared/domain/limits';
import { readImageHeader } from '#shared/engine/formats/read-header';
import { openEngine } from '../../models/eval/open-engine';
import { CASES, jobOptions, middleOf, type Measured, type Run } from './job';
import { makeImage } from './images';

const NEVER = new AbortController().signal;
const ignore = (): void => undefined;

const measure = async (index: number): Promise<Measured> => {
  const { size, classes, runs } = CASES[index]!;
  const bytes = await makeImage(...size);
  const engine = await openEngine();
  const { backend } = await engine.load(
    defaultImageOptions({ classes }),
    ignore,
    new AbortController().signal,
  );
  const anonymise = async (bytes: Uint8Array) => {
    const header = await readImageHeader(bytes, LIMITS);
    return engine.anonymiseImage({ ...jobOptions(classes), header, bytes }, ignore, NEVER);
  };
  await anonymise(await makeImage(640, 480));
  const done: Run[] = [];
  for (let i = 0; i < runs; i += 1) {
    const start = performance.now();
    const { timings } = await anonymise(bytes);
    done.push({ timings, totalMs: performance.now() - start });
  }
  return { ...middleOf(done), backend, peakMiB: process.resourceUsage().maxRSS / 1024 };
};

process.send?.(await measure(Number(process.argv[2])));
