import { paddingOf } from '#shared/engine/pixels/yuv';
import type { VideoReport } from '#shared/domain/video-report';
import type { FileReport } from './report';

/** Facts about the result of a video for the report of a run. @param isWritten whether there is a redacted video */
export const videoFacts = (
  report: Omit<VideoReport, 'durationS'>,
  isWritten: boolean,
): NonNullable<FileReport['video']> => {
  const {
    frameCount,
    lostFrames,
    isLossUncertain = false,
    reencodedAudioTracks,
    droppedAudioTracks,
    droppedAudioCodecs,
  } = report;
  return {
    frames: frameCount,
    lostFrames,
    isLossUncertain,
    padding: isWritten ? paddingOf(report) : [0, 0],
    reencodedAudioTracks,
    droppedAudioTracks,
    ...(droppedAudioCodecs && { droppedAudioCodecs }),
  };
};
