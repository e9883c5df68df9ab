import { tagOfFile } from '../../tasks/base/content-tag';
import { FRAMES_PER_FILE, type StoredVideoResult } from '../../tasks/files/video-files';
import { FORMATS } from '../../catalogue/formats';
import type { LongArray } from '../http/answer';
import { anonymisedName, metadataName } from '../http/download-names';
import { ApiError } from '../contract/errors';
import { fileOfResult, findTask, readTask, orExplain, requireDone } from './find-task';
import { frameMetadata } from './metadata';
import { pathOf } from '../contract/routes';
import { LOWEST_END_FRAME, type VideoMetadataQuery } from '../contract/schemas-results';
import type { ApiService, Handler } from './service';
import type { Task } from '../../domain/task';
import type { FrameReport } from '../../domain/video-report';

const VIDEO_TYPE = FORMATS.mp4.mediaType;

const resultOfVideo = async (service: ApiService, task: Task): Promise<StoredVideoResult> => {
  requireDone(task);
  return orExplain(await service.tasks.videoResult(task.id), service, task.id);
};

/** `GET /v1/file/{id}/video/anonymised` */
export const getAnonymisedVideo: Handler<'getAnonymisedVideo'> = async ({ id, service }) => {
  const task = await findTask(service, id);
  if (task.kind === 'image') throw new ApiError('image_not_video', pathOf('getAnonymised', task.id));
  const { result, file } = await fileOfResult(
    service,
    task,
    () => service.tasks.videoResult(task.id),
    async (now) => {
      if (!now.anonymised) throw new ApiError('nothing_anonymised');
      return service.tasks.anonymisedVideo(task.id, now);
    },
  );
  const name = anonymisedName(task.filename, VIDEO_TYPE);
  const tag = result.file && tagOfFile(result.file);
  return { download: { contentType: VIDEO_TYPE, name, file, tag } };
};

/** @throws ApiError 422 as the contract's error table words it; 404 for an unknown id beside other videos */
const findVideo = async (service: ApiService, id: string): Promise<Task> => {
  const task = await readTask(service, id);
  if (task?.kind === 'video') return task;
  if (task) throw new ApiError('video_metadata_of_image');
  throw new ApiError((await service.tasks.holdsVideo()) ? 'unknown_task' : 'no_video_yet');
};

const requireRange = (
  { start_frame: first, end_frame: last }: VideoMetadataQuery,
  lastFrame: number,
): readonly [number, number] => {
  if (first > lastFrame) throw new ApiError('frame_out_of_range', 'start_frame', 0, lastFrame, first);
  const end = last ?? lastFrame;
  if (end > lastFrame || end < first) {
    const lowest = Math.min(Math.max(first, LOWEST_END_FRAME), lastFrame);
    throw new ApiError('frame_out_of_range', 'end_frame', lowest, lastFrame, end);
  }
  return [first, end];
};

/** Frames from the first to the last, file by file: a video may have five million. */
async function* framesOf(
  service: ApiService,
  id: string,
  result: StoredVideoResult,
  [first, last]: readonly [number, number],
): AsyncGenerator<readonly FrameReport[]> {
  for (let at = first; at <= last;) {
    const end = Math.min(at - (at % FRAMES_PER_FILE) + FRAMES_PER_FILE - 1, last);
    yield await orExplain(await service.tasks.frames(id, at, end, result), service, id);
    at = end + 1;
  }
}

/** `GET /v1/file/{id}/video/metadata` */
export const getVideoMetadata: Handler<'getVideoMetadata'> = async ({ id, query, service }) => {
  const task = await findVideo(service, id);
  const result = await resultOfVideo(service, task);
  const range = requireRange(query, result.report.frameCount - 1);
  const list: LongArray<FrameReport> = {
    groups: () => framesOf(service, task.id, result, range),
    write: (frame) => frameMetadata(frame, query.timestamps),
    nextTurn: service.nextTurn,
  };
  return { list, saveAs: metadataName(task.filename) };
};
