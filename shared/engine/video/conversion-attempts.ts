import type { VideoFormat } from '../../catalogue/formats';
import { audioTreatments, cannotConvert, type Conversion } from './ffmpeg-arguments';
import type { FfmpegLog } from './ffmpeg-log';

/** What differs between the attempts to convert a video. */
export type Attempt = Pick<Conversion, 'audio' | 'padsSides'>;

/** The outcome of one run of ffmpeg. */
export interface AttemptOutcome<T> {
  readonly said: FfmpegLog;
  /** Undefined if the run failed. */
  readonly converted: T | undefined;
}

/**
 * Runs ffmpeg until an attempt succeeds.
 *
 * Audio is copied if possible. Frames are padded only if the encoder refuses an odd side, which it does before the
 * first frame: padding converts the colours of all frames.
 *
 * @param onFailure called once, if no attempt succeeds
 * @throws UnreadableFile if no attempt succeeds
 */
export const convertByAttempts = async <T>(
  format: VideoFormat,
  run: (attempt: Attempt) => Promise<AttemptOutcome<T>>,
  onFailure: (said: FfmpegLog | undefined) => void,
): Promise<T> => {
  let padsSides = false;
  let last: AttemptOutcome<T> | undefined;
  for (const audio of audioTreatments(format)) {
    last = await run({ audio, padsSides });
    if (last.converted === undefined && !padsSides && last.said.hasOddSides()) {
      padsSides = true;
      last = await run({ audio, padsSides });
    }
    if (last.converted !== undefined) return last.converted;
  }
  onFailure(last?.said);
  throw cannotConvert();
};
