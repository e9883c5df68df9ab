/** Runs one case on the server's engine, in a process of its own, whose peak memory is then that case's. */
import { openEngine } from '../../models/eval/open-engine';
import { CASES, jobOptions, middleOf, type Measured, type Run } from './job';
import { makePicture } from './pictures';

const NEVER = new AbortController().signal;
const ignore = (): void => undefined;

const measure = async (index: number): Promise<Measured> => {
  const { size, classes, runs } = CASES[index]!;
  const bytes = await makePicture(...size);
  const engine = await openEngine();
  const { backend } = await engine.load(classes, ignore, new AbortController().signal);
  await engine.anonymiseImage({ ...jobOptions(classes), bytes: await makePicture(640, 480) }, ignore, NEVER);
  const done: Run[] = [];
  for (let i = 0; i < runs; i += 1) {
    const start = performance.now();
    const { timings } = await engine.anonymiseImage({ ...jobOptions(classes), bytes }, ignore, NEVER);
    done.push({ timings, totalMs: performance.now() - start });
  }
  return { ...middleOf(done), backend, peakMiB: process.resourceUsage().maxRSS / 1024 };
};

process.send?.(await measure(Number(process.argv[2])));
