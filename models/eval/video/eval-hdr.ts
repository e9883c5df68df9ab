/**
 * `npm run eval:hdr`: what high dynamic range costs and changes.
 *
 * The clips of `../shared/data/videos` are encoded as HEVC in standard range and, by ffmpeg's `zscale`, in HLG and PQ.
 * Objects that are hidden in a twin are compared with those in standard range; processor time is that of the whole run:
 * decoding, detection, redaction, encoding. Each run is repeated, in turn.
 *
 * Options: `--frames N` of each clip (30), `--runs N` (2), `--clip TEXT` in the name of a clip.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { iou } from '#shared/domain/boxes';
import { LIMITS } from '#shared/domain/limits';
import { defaultImageOptions } from '#shared/domain/options';
import type { FrameReport, ReportedFrameDetection } from '#shared/domain/plan';
import type { EngineMethods } from '#shared/ports/engine';
import { findFfmpeg, type Ffmpeg } from '../../../server/adapters/find-ffmpeg';
import { endWhenOutputCloses } from '../../../server/end-when-output-closes';
import { openEngine } from '../open-engine';
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
/** Quality of the twins: no loss is visible. */
const X265 = ['-c:v', 'libx265', '-preset', 'fast', '-crf', '16', '-tag:v', 'hvc1'];

/** Paper of standard range has 203 cd/m² (BT.2408). */
const wide = (transfer: string): string =>
  [
    'zscale=pin=bt709:tin=bt709:min=bt709:rin=tv:p=bt709:t=linear:m=gbr:r=pc:npl=203,format=gbrpf32le',
    `zscale=p=bt2020:t=${transfer}:m=bt2020nc:r=tv:npl=203,format=yuv420p10le`,
  ].join(',');

const STANDARD = 'zscale=pin=bt709:tin=bt709:min=bt709:rin=tv:p=bt709:t=bt709:m=bt709:r=tv';

/** What mapping makes of the signals of a twin: room for highlights, which the clips do not have. */
const DIMMED = "curves=all='0/0 0.31/0.31 0.565/0.56 0.69/0.64 0.816/0.745 0.94/0.875 1/0.92'";
const FROM_RGB = 'zscale=pin=bt709:tin=bt709:min=gbr:rin=pc:p=bt709:t=bt709:m=bt709:r=tv';

/** Filter of each twin. Those in standard range show what small changes do without another range. */
const TWINS = {
  sdr: `${STANDARD},format=yuv420p`,
  'sdr, 10 bits': `${STANDARD},format=yuv420p10le`,
  'sdr, noise': `${STANDARD},format=yuv420p,noise=alls=2:allf=t`,
  'sdr, highlights dimmed': `${STANDARD},format=gbrp,${DIMMED},${FROM_RGB},format=yuv420p`,
  hlg: wide('arib-std-b67'),
  pq: wide('smpte2084'),
} as const;
type Twin = keyof typeof TWINS;

const encode = (clip: string, twin: Twin, folder: string): Uint8Array => {
  const path = join(folder, `${twin}.mp4`);
  const output = ['-frames:v', flags.frames, '-an', ...X265, '-x265-params', 'log-level=error', path];
  execFileSync(ffmpeg.path, ['-loglevel', 'error', '-y', '-i', FOLDER + clip, '-vf', TWINS[twin], ...output]);
  return readFileSync(path);
};

const findOrStop = async (): Promise<Ffmpeg> => {
  const found = await findFfmpeg(undefined, process.env);
  if (!found) throw new Error('No ffmpeg is installed.');
  return found;
};
const ffmpeg = await findOrStop();

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

const evalClip = async (engine: EngineMethods, clip: string, folder: string): Promise<void> => {
  const twins = (Object.keys(TWINS) as Twin[]).map((name) => ({ name, bytes: encode(clip, name, folder) }));
  const runs = new Map<Twin, Run[]>(twins.map(({ name }) => [name, []]));
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
const folder = mkdtempSync(join(tmpdir(), 'veil-hdr-'));
try {
  console.log('| Clip | Range | Hidden in standard range | Also here | Processor seconds | More |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const clip of readdirSync(FOLDER).sort()) {
    if (clip.includes(flags.clip)) await evalClip(engine, clip, folder);
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exit();
