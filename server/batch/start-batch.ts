import { constants } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import type { BagFacts } from '#shared/domain/bag';
import type { Log } from '#shared/ports/system';
import { findFfmpeg } from '../adapters/find-ffmpeg';
import { createLog } from '../adapters/log';
import type { BatchConfig } from '../cli/config';
import { endBySignal, type StopSignal, endWhenOutputCloses } from '../end-when-output-closes';
import { openEngine } from '../open-engine';
import type { Report, FileReport } from './report';
import { runBatch, type Outcome } from './run-batch';
import { createTerminalReport } from './terminal-report';
import type { UncertainObject } from './uncertain';
import type { WatchClock } from './watch';
import { join } from 'node:path';
import type { MediaFile, OutputNames } from './media-file';

/** The paths of a file's results. */
const placesOf = ({ kind, folder, outputs }: Pick<MediaFile, 'kind' | 'folder' | 'outputs'>): object => {
  const place = (name: OutputNames['anonymised']): string | null =>
    name === null ? null : join(folder, name);
  const { anonymised, masks, metadata, report, log, exports } = outputs;
  return {
    output: place(anonymised),
    ...(kind === 'image' && {
      binary_mask: place(masks.binary ?? null),
      instance_mask: place(masks.instance ?? null),
    }),
    metadata: place(metadata),
    ...(report && { report: place(report.json), report_page: place(report.page) }),
    ...(log && { log: place(log.json), log_csv: place(log.csv) }),
    ...(Object.keys(exports).length > 0 && {
      exports: Object.fromEntries(Object.entries(exports).map(([format, name]) => [format, place(name)])),
    }),
  };
};

const uncertainFacts = ({ objectClass, score, bbox, id, atS }: UncertainObject): object => ({
  ...{ type_label: objectClass, score, bbox },
  ...(id !== undefined && { id }),
  ...(atS !== undefined && { time: atS }),
});

const bagFacts = ({ topics, keptTopics, droppedTopics, droppedAttachments }: BagFacts): object => ({
  topics,
  kept_topics: keptTopics,
  dropped_topics: droppedTopics,
  dropped_attachments: droppedAttachments,
});

/** A report for programs: one JSON object per line. @param write receives complete lines */
export const createJsonReport = (
  write: (line: string) => void,
  { failOnUncertain: listsUncertain }: Pick<BatchConfig, 'failOnUncertain'>,
): Report => {
  const say = (event: string, facts: object): void => write(`${JSON.stringify({ event, ...facts })}\n`);
  /** The last reported progress of each video, in whole percent. */
  const reported = new Map<string, number>();
  const done = (file: MediaFile, { objects, uncertain, seconds, projection, video }: FileReport): void => {
    const { path } = file;
    reported.delete(path);
    say('done', {
      input: path,
      ...placesOf(file),
      objects,
      projection,
      ...(listsUncertain && {
        uncertain: uncertain.count,
        uncertain_objects: uncertain.listed.map(uncertainFacts),
      }),
      ...(video && {
        frames: video.frames,
        lost_frames: video.lostFrames,
        lost_frames_uncertain: video.isLossUncertain,
        padding: video.padding,
        reencoded_audio_tracks: video.reencodedAudioTracks,
        dropped_audio_tracks: video.droppedAudioTracks,
        dropped_audio_codecs: video.droppedAudioCodecs,
        tone_mapped: video.toneMapped,
        preview: video.preview,
        ...(video.bag && bagFacts(video.bag)),
      }),
      seconds,
    });
  };
  const failed: Report['failed'] = (path, reason) => {
    reported.delete(path);
    say('failed', { input: path, error: reason });
  };
  return {
    planned: ({ files, notTaken, done: doneBefore }) => {
      const videos = files.filter(({ kind }) => kind === 'video').length;
      say('start', { images: files.length - videos, videos, skipped: doneBefore.length });
      for (const { path, uncertain } of doneBefore) say('skipped', { input: path, uncertain });
      for (const { kind, path, reason } of notTaken) {
        if (kind === 'failed') failed(path, reason);
        else say('left', { input: path, reason });
      }
    },
    started: () => undefined,
    progressed: ({ path }, { framesDone, framesTotal, converted }) => {
      if (converted !== undefined && framesDone === 0) return;
      const percent = Math.floor((100 * framesDone) / framesTotal);
      if (percent === reported.get(path)) return;
      reported.set(path, percent);
      say('progress', { input: path, frames_done: framesDone, frames_total: framesTotal });
    },
    done,
    failed,
    ended: (counts, seconds, problem) => say('end', { ...counts, seconds, error: problem ?? null }),
  };
};

/** 2 is that of a wrong flag. */
const EXIT_CODES = { done: 0, incomplete: 1, uncertain: 3 } as const satisfies Record<Outcome, number>;
/** Shells report 128 plus the number of a signal as the exit code. */
const EXIT_SIGNAL = 128;

interface Voices {
  readonly report: Report;
  readonly log: Log;
}

const voicesFor = (config: BatchConfig): Voices => {
  const { json, workers } = config;
  const log = createLog(config);
  if (json) {
    return { report: createJsonReport((line) => process.stdout.write(line), config), log };
  }
  const report = createTerminalReport({
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    columns: () => (process.stderr.isTTY ? process.stderr.columns : undefined),
    nowS: () => performance.now() / 1000,
    workers,
    namesUncertain: config.failOnUncertain,
  });
  const error: Log['error'] = (message, cause) => {
    report.clear();
    log.error(message, cause);
  };
  return { report, log: { ...log, error } };
};

const clock: WatchClock = {
  elapsedMs: () => performance.now(),
  pause: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
};

/** The first signal stops the run cleanly, the second one at once. A closed output counts as a signal. */
const stopOnSignals = (stop: AbortController): void => {
  const end = (signal: StopSignal): void => {
    if (!stop.signal.aborted) return stop.abort(signal);
    // Node ignores SIGPIPE: a closed output ends the process like the signal before it.
    endBySignal(signal === 'SIGPIPE' ? (stop.signal.reason as 'SIGINT' | 'SIGTERM') : signal);
  };
  process.on('SIGINT', end).on('SIGTERM', end);
  endWhenOutputCloses(() => end('SIGPIPE'));
};

/**
 * Runs batch mode.
 *
 * @param packageRoot the folder that contains `dist` and `models`
 * @returns the exit code: 0 if all files are done, 1 if one failed, 3 if one has uncertain objects and that was asked for, 128 + number of the signal after a signal
 * @throws FlagError, StartProblem
 */
export const startBatch = async (config: BatchConfig, packageRoot: string): Promise<number> => {
  const stop = new AbortController();
  stopOnSignals(stop);
  const voices = voicesFor(config);
  const ffmpeg = await findFfmpeg(config.ffmpeg, process.env);
  const engine = await openEngine(packageRoot, config, voices.log, ffmpeg);
  try {
    const outcome = await runBatch(config, { engine, clock, ...voices }, stop.signal);
    if (stop.signal.aborted) return EXIT_SIGNAL + constants.signals[stop.signal.reason as StopSignal];
    return EXIT_CODES[outcome];
  } finally {
    await engine.close();
  }
};
