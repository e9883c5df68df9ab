import { keepsFiles } from '../../domain/task';
import type { StoredVideoResult } from '../../tasks/files/video-files';
import { respondDownload } from './download';
import { anonymisedName, metadataName } from '../http/download-names';
import { ApiError } from '../contract/errors';
import { fileOfResult, findTask, readTask, orExplain, requireDone } from './find-task';
import { frameMetadata } from './metadata';
import { JSON_TYPE, jsonBytes } from '../http/respond';
import { tagWithoutContent } from './result-handlers';
import { pathOf } from '../contract/routes';
import { LOWEST_END_FRAME, type VideoMetadataQuery } from '../contract/schemas-results';
import type { ApiService, Handler } from './service';
import type { Task } from '../../domain/task';

const VIDEO_TYPE = 'video/mp4';

const resultOfVideo = async (service: ApiService, task: Task): Promise<StoredVideoResult> => {
  requireDone(task);
  return orExplain(await service.tasks.videoResult(task.id), service, task.id);
};

/** `GET /v1/file/{id}/video/anonymised` */
export const getAnonymisedVideo: Handler<'getAnonymisedVideo'> = async (call) => {
  const { id, service } = call;
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
  const tag = result.tag ?? tagWithoutContent(task, 'video', result.revision, file);
  return respondDownload({ contentType: VIDEO_TYPE, name, file, tag }, call);
};

/** @throws ApiError 422 as the contract's error table words it; 404 for an unknown id beside other videos */
const findVideo = async (service: ApiService, id: string): Promise<Task> => {
  const task = await readTask(service, id);
  if (task?.kind === 'video') return task;
  if (task) throw new ApiError('video_metadata_of_image');
  const isAnyHeld = (await service.tasks.list()).some((one) => one.kind === 'video' && keepsFiles(one));
  throw new ApiError(isAnyHeld ? 'unknown_task' : 'no_video_yet');
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

/** `GET /v1/file/{id}/video/metadata` */
export const getVideoMetadata: Handler<'getVideoMetadata'> = async (call) => {
  const { id, query, service } = call;
  const task = await findVideo(service, id);
  const { report } = await resultOfVideo(service, task);
  const [first, last] = requireRange(query, report.frameCount - 1);
  const frames = await orExplain(await service.tasks.frames(task.id, first, last), service, task.id);
  const file = jsonBytes(frames.map((frame) => frameMetadata(frame, query.timestamps)));
  return respondDownload({ contentType: JSON_TYPE, name: metadataName(task.filename), file, tag: '' }, call);
};
