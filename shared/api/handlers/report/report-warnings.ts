import type { LeftOut, PendingEdit } from '../../../domain/task';
import type { ReportedTask, UnsignedReport } from './reported-task';

type Facts = Omit<UnsignedReport, 'warnings'>;

/** Names of the facts that were not recorded. */
const unrecorded = ({ result, metadata, tracks, audio, edits }: Facts): string[] => [
  ...(metadata === null && result !== null ? ['metadata'] : []),
  ...(tracks === null && result !== null && audio !== null ? ['tracks'] : []),
  ...(edits.applied.length < edits.count ? ['edits.applied'] : []),
];

const aboutRecord = (facts: Facts): string[] => {
  const names = unrecorded(facts);
  return names.length > 0 ? [`Not recorded when the file was processed: ${names.join(', ')}.`] : [];
};

const aboutVisible = ({ counts, result }: Facts): string[] => {
  if (result === null) return ['Nothing was anonymised, because the method is `detect`.'];
  const visible = Object.values(counts).reduce((sum, count) => sum + count.detected - count.anonymised, 0);
  return visible > 0 ? [`Number of detections that are visible in the result: ${visible}.`] : [];
};

const aboutLosses = (
  { lostFrames, isLossUncertain, padding }: LeftOut,
  droppedAudioTracks: number,
): string[] => [
  ...(lostFrames > 0 ? [`Number of frames that could not be decoded and are missing: ${lostFrames}.`] : []),
  ...(isLossUncertain ? ['More frames may be missing, because the source is damaged.'] : []),
  ...(droppedAudioTracks > 0 ? [`Number of audio tracks that are missing: ${droppedAudioTracks}.`] : []),
  ...(padding[0] + padding[1] > 0
    ? [`Pixels were added at the right and at the lower edge: ${padding[0]} and ${padding[1]}.`]
    : []),
];

const aboutEdits = ({ status }: PendingEdit): string =>
  status === 'failed'
    ? 'The latest edits failed and are not in this result.'
    : 'Edits that were accepted are not applied yet and are not in this result.';

/** Sentences about what a reader of the report must not overlook. */
export const reportWarnings = (
  facts: Facts,
  { task: { options, video, edit }, keepMetadata, sparedMemory }: ReportedTask,
): string[] => [
  ...aboutRecord(facts),
  ...aboutVisible(facts),
  ...(options.ignores.length > 0
    ? [`Number of areas of the upload that are not anonymised: ${options.ignores.length}.`]
    : []),
  ...(keepMetadata && !video ? ['Camera, date and GPS fields of the source are kept in the result.'] : []),
  ...(sparedMemory ? ['Memory was low: an object that two windows cut may not have been detected.'] : []),
  ...(video?.leftOut ? aboutLosses(video.leftOut, facts.audio?.dropped_tracks ?? 0) : []),
  ...(edit ? [aboutEdits(edit)] : []),
];
