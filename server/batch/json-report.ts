import { join } from 'node:path';
import type { MediaFile } from './media-file';
import type { FileReport, Report } from './report';

/** A report for programs: one JSON object per line. @param write receives complete lines */
export const createJsonReport = (outputFolder: string, write: (line: string) => void): Report => {
  const say = (event: string, facts: object): void => write(`${JSON.stringify({ event, ...facts })}\n`);
  const place = (name: string | null): string | null => (name === null ? null : join(outputFolder, name));
  /** The last reported progress of each video, in whole percent. */
  const reported = new Map<string, number>();
  const done = ({ path, kind, outputs }: MediaFile, { objects, seconds, video }: FileReport): void => {
    reported.delete(path);
    say('done', {
      input: path,
      output: place(outputs.anonymised),
      ...(kind === 'image' && {
        binary_mask: place(outputs.masks.binary ?? null),
        instance_mask: place(outputs.masks.instance ?? null),
      }),
      metadata: place(outputs.metadata),
      ...(outputs.report && { report: place(outputs.report.json), report_page: place(outputs.report.page) }),
      objects,
      ...(video && {
        frames: video.frames,
        lost_frames: video.lostFrames,
        lost_frames_uncertain: video.isLossUncertain,
        padding: video.padding,
        reencoded_audio_tracks: video.reencodedAudioTracks,
        dropped_audio_tracks: video.droppedAudioTracks,
        dropped_audio_codecs: video.droppedAudioCodecs,
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
      say('start', { pictures: files.length - videos, videos, skipped: doneBefore.length });
      for (const { path } of doneBefore) say('skipped', { input: path });
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
