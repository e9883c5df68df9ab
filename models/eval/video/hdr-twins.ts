import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFfmpeg, type Ffmpeg } from '../../../server/adapters/find-ffmpeg';

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
export const TWINS = {
  sdr: `${STANDARD},format=yuv420p`,
  'sdr, 10 bits': `${STANDARD},format=yuv420p10le`,
  'sdr, noise': `${STANDARD},format=yuv420p,noise=alls=2:allf=t`,
  'sdr, highlights dimmed': `${STANDARD},format=gbrp,${DIMMED},${FROM_RGB},format=yuv420p`,
  hlg: wide('arib-std-b67'),
  pq: wide('smpte2084'),
} as const;
export type Twin = keyof typeof TWINS;

/** @throws {Error} if there is no such twin */
export const twinOf = (name: string | undefined): Twin | undefined => {
  if (name !== undefined && !(name in TWINS)) {
    throw new Error(`No such range. Ranges: ${Object.keys(TWINS).join(', ')}.`);
  }
  return name as Twin | undefined;
};

const findOrStop = async (): Promise<Ffmpeg> => {
  const found = await findFfmpeg(undefined, process.env);
  if (!found) throw new Error('No ffmpeg is installed.');
  return found;
};

/** Encodes the first frames of a clip, without its sound. @returns an MP4 file with HEVC */
export const encodeTwin = async (path: string, twin: Twin, frames: number): Promise<Uint8Array> => {
  const ffmpeg = await findOrStop();
  const folder = mkdtempSync(join(tmpdir(), 'veil-twin-'));
  const to = join(folder, 'twin.mp4');
  const output = [
    '-frames:v',
    String(frames),
    '-fps_mode',
    'passthrough',
    '-an',
    ...X265,
    '-x265-params',
    'log-level=error',
    to,
  ];
  try {
    execFileSync(ffmpeg.path, ['-loglevel', 'error', '-y', '-i', path, '-vf', TWINS[twin], ...output]);
    return readFileSync(to);
  } finally {
    rmSync(folder, { recursive: true });
  }
};
