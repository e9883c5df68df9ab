import type { VideoEdits } from '#shared/domain/video-edits';
import { afterStep, mapHistory, NO_STEPS, redone, undone, type History } from './history';
import type { MediaItem } from './media-item';
import { keptEdits } from './video-edits';

/** The parts of an item that hold the history of a video's edits. */
export type EditedVideo = Pick<MediaItem, 'videoEdits' | 'videoSteps'>;

const historyOf = ({ videoEdits, videoSteps = NO_STEPS }: EditedVideo): History<VideoEdits> => ({
  ...videoSteps,
  present: videoEdits,
});

const partsOf = ({ present, ...videoSteps }: History<VideoEdits>): Required<EditedVideo> => ({
  videoEdits: present,
  videoSteps,
});

/** @param step see `afterStep` */
export const withVideoEdits = (video: EditedVideo, edits: VideoEdits, step?: string): Required<EditedVideo> =>
  partsOf(afterStep(historyOf(video), edits, step));

/** The next step back or forward. The edits that were applied are steps like all others. */
export const withVideoStep = (video: EditedVideo, direction: 'undone' | 'redone'): Required<EditedVideo> =>
  partsOf({ undone, redone }[direction](historyOf(video)));

/** What remains valid after a new detection, also in all steps: no step may make another person visible. */
export const withKeptEdits = (video: EditedVideo): EditedVideo =>
  video.videoSteps
    ? partsOf(mapHistory(historyOf(video), keptEdits))
    : { videoEdits: keptEdits(video.videoEdits) };
