/** Time of decoding and encoding alone in the page, without models: with WebCodecs, and with ffmpeg.wasm. */
import { FFmpeg } from '@ffmpeg/ffmpeg';
import coreUrl from '@ffmpeg/core?url';
import wasmUrl from '@ffmpeg/core/wasm?url';
import { LIMITS } from '#shared/domain/limits';
import { anonymiseVideo } from '#shared/engine/anonymise-video';
import { ffmpegArguments } from '#shared/engine/video/ffmpeg-arguments';
import type { VideoProgressListener } from '#shared/ports/engine';
import type { ByteSource, ByteTarget } from '#shared/ports/video';
import { colourCenterNet, FAKE_MANIFEST, fakeSessions } from '#shared/testing/fake-models';
import { system } from '../../web/adapters/system';
import { videoCodec } from '../../web/adapters/video-codec';
import { videoJob } from './video-job';

const NEVER = new AbortController().signal;
/** Discards the output, because this benchmark does not measure storage. */
const NOWHERE: ByteTarget = { write: async () => undefined };
/** Version of ffmpeg in `@ffmpeg/core`. */
const VERSION = [5, 1] as const;

interface Coded {
  readonly backend: string;
  readonly frames: number;
  readonly wallMs: number;
  readonly timings: Readonly<Record<string, number>>;
}

const fetched = async (url: string): Promise<Blob> => (await fetch(url)).blob();

const sourceOf = (blob: Blob): ByteSource => ({
  sizeBytes: blob.size,
  read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()),
});

export const codeByPage = async ({ url }: { readonly url: string }): Promise<Coded> => {
  const source = sourceOf(await fetched(url));
  const reader = await videoCodec.open(source, LIMITS);
  const start = performance.now();
  const writer = await reader.createWriter(NOWHERE, { keepBitRate: false });
  let frames = 0;
  for await (const frame of reader.frames(NEVER)) {
    await writer.add(frame);
    frames++;
  }
  await writer.finish();
  const wallMs = performance.now() - start;
  reader.close();
  return { backend: 'WebCodecs', frames, wallMs, timings: {} };
};

/** With the arguments that the product uses to convert videos: the fastest encoding. */
export const codeByFfmpeg = async ({
  url,
  frames,
}: {
  readonly url: string;
  readonly frames: number;
}): Promise<Coded> => {
  const ffmpeg = new FFmpeg();
  const [coreURL, wasmURL] = [coreUrl, wasmUrl].map((path) => new URL(path, location.href).href);
  await ffmpeg.load({ coreURL: coreURL!, wasmURL: wasmURL! });
  await ffmpeg.writeFile('/in.mp4', new Uint8Array(await (await fetched(url)).arrayBuffer()));
  const args = ffmpegArguments({
    format: 'mp4',
    inputPath: '/in.mp4',
    output: '/out.mp4',
    audio: 'copy',
    padsSides: false,
    isHdr: false,
    keepsTimes: false,
    limits: LIMITS,
    version: VERSION,
  });
  const start = performance.now();
  const code = await ffmpeg.exec(args);
  const wallMs = performance.now() - start;
  ffmpeg.terminate();
  if (code !== 0) throw new Error(`ffmpeg.wasm ended with code ${code}`);
  return { backend: 'ffmpeg.wasm', frames, wallMs, timings: {} };
};

/**
 * The whole pipeline with a detector that takes no time. @param report name of a global function that gets the progress
 */
export const runLong = async ({ url, report }: { readonly url: string; readonly report: string }) => {
  const reportProgress = Reflect.get(globalThis, report) as (done: number, total: number) => Promise<void>;
  const files = { source: sourceOf(await fetched(url)), target: NOWHERE, report: async () => undefined };
  const sessions = fakeSessions({ objects: colourCenterNet(0.8) });
  const ports = { sessions, manifest: FAKE_MANIFEST, system, videoCodec };
  const start = performance.now();
  const onProgress: VideoProgressListener = ({ framesDone, framesTotal }) =>
    void reportProgress(framesDone, framesTotal);
  const { frameCount } = await anonymiseVideo([videoJob(['vehicle']), files, onProgress, NEVER], ports);
  return { frames: frameCount, wallMs: performance.now() - start };
};
