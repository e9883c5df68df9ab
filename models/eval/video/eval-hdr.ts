/**
 * `npm run eval:hdr`: what high dynamic range costs and changes.
 *
 * The clips of `../shared/data/videos` are encoded as HEVC in standard range and, by ffmpeg's `zscale`, in HLG and PQ.
 * Objects that are hidden in a twin are compared with those in standard range; processor time is that of the whole run:
 * decoding, detection, redaction, encoding. Each run is repeated, in turn.
 *
 * Options: `--frames N` of each clip (30), `--runs N` (2), `--clip TEXT` in the name of a clip.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { iou } from '#shared/domain/boxes';
import { LIMITS } from '#shared/domain/limits';
import { defaultImageOptions } from '#shared/domain/options';
import type { FrameReport, ReportedFrameDetection } from '#shared/domain/plan';
import type { EngineMethods } from '#shared/ports/engine';
import { endWhenOutputCloses } from '../../../server/end-when-output-closes';
import { openEngine } from '../open-engine';
import { encodeTwin, TWINS, type Twin } from './hdr-twins';
import { createMemoryTarget, sourceOf } from './memory-clip';

endWhenOutputCloses();

const FOLDER = new URL('../../../../shared/data/videos/', import.meta.url).pathname;

const { values: flags } = parseArgs({
  options: {
    frames: { type: 'string', default: '30' },
    runs: { type: 'string', default: '2' },
    clip: { type: 'string', default: '' },
  },
});

/** Two boxes with at least this overlap are of one object. */
const MIN_IOU = 0.5;
interface Run {
  readonly frames: readonly FrameReport[];
  readonly processorSeconds: number;
}

const anonymise = async (engine: EngineMethods, bytes: Uint8Array): Promise<Run> => {
  const frames: FrameReport[] = [];
  const before = process.cpuUsage();
  await engine.anonymiseVideo(
    {
      options: defaultImageOptions(),
      ...{ keepBitRate: false, noObjectTracking: false, detectEvery: 1, audio: 'mute' },
      ...{ limits: LIMITS, framesPerReport: 100, keepsPlans: false },
    },
    {
      source: sourceOf(bytes),
      target: createMemoryTarget(),
      report: async (some) => void frames.push(...some),
    },
    () => undefined,
    new AbortController().signal,
  );
  const { user, system } = process.cpuUsage(before);
  return { frames, processorSeconds: (user + system) / 1e6 };
};

/** Hidden objects of the first run, and how many of them the second one hides, too. */
const compare = (one: Run, other: Run): readonly [objects: number, same: number] => {
  let [objects, same] = [0, 0];
  const hidden = (detections: readonly ReportedFrameDetection[]) =>
    detections.filter(({ isAnonymised }) => isAnonymised);
  one.frames.forEach(({ detections }, index) => {
    const others = hidden(other.frames[index]?.detections ?? []);
    for (const { objectClass, box } of hidden(detections)) {
      objects++;
      const isSame = others.some(
        (found) => found.objectClass === objectClass && iou(found.box, box) >= MIN_IOU,
      );
      if (isSame) same++;
    }
  });
  return [objects, same];
};

const evalClip = async (engine: EngineMethods, clip: string): Promise<void> => {
  const names = Object.keys(TWINS) as Twin[];
  const encode = async (name: Twin) => ({
    name,
    bytes: await encodeTwin(join(FOLDER, clip), name, Number(flags.frames)),
  });
  const twins = await Promise.all(names.map(encode));
  const runs = new Map<Twin, Run[]>(names.map((name) => [name, []]));
  for (let run = 0; run < Number(flags.runs); run++) {
    for (const { name, bytes } of twins) runs.get(name)?.push(await anonymise(engine, bytes));
  }
  const seconds = (twin: Twin): number =>
    Math.min(...(runs.get(twin) ?? []).map(({ processorSeconds }) => processorSeconds));
  const standard = runs.get('sdr')![0]!;
  for (const { name } of twins) {
    const [objects, same] = compare(standard, runs.get(name)!.at(-1)!);
    const share = ((seconds(name) / seconds('sdr') - 1) * 100).toFixed(1);
    const cells = [clip, name, objects, `${((same / objects) * 100).toFixed(1)} %`];
    console.log(`| ${[...cells, seconds(name).toFixed(1), `${share} %`].join(' | ')} |`);
  }
};

const engine = await openEngine();
console.log('| Clip | Range | Hidden in standard range | Also here | Processor seconds | More |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const clip of readdirSync(FOLDER).sort()) {
  if (clip.includes(flags.clip)) await evalClip(engine, clip);
}
process.exit();
