import { UnreadableFile } from '../../domain/failure';
import type { GivenObject } from '../../domain/given';
import type { RedactionPlan } from '../../domain/plan';
import type { VideoFiles, VideoJob } from '../../ports/engine';
import type { VideoReader } from '../../ports/video';
import type { FollowedDetection } from '../track/follow-tracks';
import { planAreas, withAreas } from '../edits/hidden-areas';
import { labelPlan } from '../redact/draw-plan';
import { planGiven } from '../given/plan-given';
import { decodedFrames, processedRange, type SettledFrame, type VideoRun } from './redact-video';

/** A frame whose objects are given: no time was spent on a search. */
interface GivenFrame extends SettledFrame {
  readonly detections: readonly FollowedDetection[];
  readonly searchedInS: () => number;
}

/** Gives the objects frame by frame: one part of them is in memory at a time. */
const readGivenFrames = ({ given }: Pick<VideoFiles, 'given'>) => {
  let part = 0;
  let waiting: (readonly GivenObject[])[] = [];
  return async (): Promise<readonly GivenObject[] | undefined> => {
    if (waiting.length === 0) waiting = [...((await given?.(part++)) ?? [])].reverse();
    return waiting.pop();
  };
};

/** @throws UnreadableFile */
const requireSize = ({ given }: VideoJob, { width, height }: VideoReader): void => {
  if (given?.width === width && given.height === height) return;
  throw new UnreadableFile(
    `The detections are those of another file: the frames of this one have ${width} × ${height} pixels.`,
  );
};

/**
 * The frames of a video with the objects that are given for them.
 *
 * @throws UnreadableFile where it has more or fewer frames than are listed: none may pass unredacted
 */
export async function* givenFrames(
  job: VideoJob,
  files: Pick<VideoFiles, 'given'>,
  reader: VideoReader,
  run: VideoRun,
): AsyncGenerator<GivenFrame[]> {
  requireSize(job, reader);
  const areas = planAreas(job.options, reader);
  const next = readGivenFrames(files);
  for await (const frame of decodedFrames(reader, run, processedRange(job))) {
    const objects = await next();
    if (!objects) throw new UnreadableFile(`The detections do not list frame ${frame.index} of the video.`);
    const plan = (): Promise<RedactionPlan> =>
      labelPlan(withAreas(planGiven(frame.raster, objects, job.options), areas, frame), job.options);
    yield [{ frame, detections: objects, searchedInS: () => 0, plan }];
  }
  if (job.preview === undefined && (await next())) {
    throw new UnreadableFile('The detections list more frames than the video has.');
  }
}
