import type { ImageEncoding, ImageFormat, MaskKind } from '../../ports/engine';
import { FORMATS } from '../../catalogue/formats';
import { savedMasks } from '../../tasks/base/settings';
import { anonymisedName, maskName, metadataName } from '../http/filename';
import { ApiError } from '../contract/errors';
import type { StoredResult } from '../../tasks/files/task-files';
import { fileOfResult, findImageTask, resultOf, findTask, readTask, orExplain } from './find-task';
import {
  type AnonymisedQuery,
  LOWEST_END_FRAME,
  type VideoMetadataQuery,
  type DetectionMetadata,
  type FrameMetadata,
  type ImageMetadata,
} from '../contract/schemas-results';
import type { ApiService, Handler } from './service';
import { tagOfFile } from '../../tasks/base/digest';
import { FRAMES_PER_FILE, type StoredVideoResult } from '../../tasks/files/video-files';
import type { LongArray } from '../http/http';
import { pathOf } from '../contract/routes';
import type { Task } from '../../domain/task';
import { type FrameReport, type ReportedDetection, US_PER_SECOND } from '../../domain/plan';
import { codesOf } from '../../catalogue/classes';

const detectionMetadata = (
  { id, objectClass, score, box, isAnonymised, color, shownConfidence }: ReportedDetection,
  filename: string,
  hasInstanceMask: boolean,
): DetectionMetadata => ({
  id,
  parent_image: filename,
  offset: [box.x1, box.y1],
  bbox: [box.x1, box.y1, box.x2, box.y2],
  type: codesOf(objectClass).typeCode,
  score,
  is_anonymised: isAnonymised,
  type_label: objectClass,
  color: hasInstanceMask ? [...color] : null,
  ...(shownConfidence !== undefined && { shown_confidence: shownConfidence }),
});

/** Where an image came from. */
interface Origin {
  /** With extension, without folders. */
  readonly filename: string;
  /** Relative to the input folder; null: that folder itself. */
  readonly folder: string | null;
}

/** An image's result in the contract's words. */
export const imageMetadata = (
  { filename, folder }: Origin,
  { report, masks }: Pick<StoredResult, 'report' | 'masks'>,
): ImageMetadata => ({
  id: filename,
  detections: report.detections.map((detection) =>
    detectionMetadata(detection, filename, masks.includes('instance')),
  ),
  size: [report.width, report.height],
  duration: report.durationS,
  filename,
  folder,
});

/** A frame's report in the contract's words. Videos have no masks, and so no colours. */
export const frameMetadata = (
  { index, timestampUs, width, height, durationS, detections }: FrameReport,
  hasTimestamp: boolean,
): FrameMetadata => ({
  id: index,
  detections: detections.map(({ trackId, ...detection }) => ({
    ...detectionMetadata(detection, '', false),
    parent_image: index,
    ...(trackId === undefined ? {} : { track_id: trackId }),
  })),
  size: [width, height],
  duration: durationS,
  ...(hasTimestamp && { timestamp: timestampUs / US_PER_SECOND }),
});

const DOWNLOAD_FORMATS = { JPEG: 'jpeg', PNG: 'png' } as const satisfies Record<string, ImageFormat>;

/** Encoders know whole steps only, the contract any number. */
export const wantedEncoding = (query: AnonymisedQuery, defaultFormat: ImageFormat): ImageEncoding => {
  const format = query.download === undefined ? defaultFormat : DOWNLOAD_FORMATS[query.download];
  return format === 'png'
    ? { format, compressLevel: Math.round(query['compress-level']) }
    : { format, quality: Math.round(query.quality) };
};

/** `GET /v1/file/{id}/anonymised` */
export const getAnonymised: Handler<'getAnonymised'> = async ({ id, query, request, service }) => {
  const task = await findImageTask(service, id, 'video_not_image', 'getAnonymisedVideo');
  const encodingOf = (stored: StoredResult): ImageEncoding => wantedEncoding(query, stored.format);
  const { result, file } = await fileOfResult(service, task, service.tasks.result, async (now) => {
    if (!now.anonymised) throw new ApiError('nothing_anonymised');
    return service.tasks.anonymised(task.id, now, encodingOf(now), request.signal);
  });
  const { format } = encodingOf(result);
  const { mediaType: contentType } = FORMATS[format];
  const name = anonymisedName(task.filename, contentType);
  return { download: { contentType, name, file, tag: result.tags.anonymised } };
};

const getMask =
  (kind: MaskKind): Handler<'getBinaryMask' | 'getInstanceMask'> =>
  async ({ id, query, request, service }) => {
    const task = await findImageTask(service, id, 'no_masks_of_video', 'getVideoMetadata');
    if (!savedMasks(service.settings).includes(kind)) throw new ApiError('mask_not_saved', kind);
    const { result, file } = await fileOfResult(service, task, service.tasks.result, async (now) => {
      if (!now.masks.includes(kind)) throw new ApiError('mask_not_saved', kind);
      const wanted = { kind, scalePercent: query['mask-scale'] };
      return service.tasks.mask(task.id, now, wanted, request.signal);
    });
    const { mediaType: contentType } = FORMATS.png;
    const name = maskName(task.filename, kind);
    return { download: { contentType, name, file, tag: result.tags[kind] } };
  };

/** `GET /v1/file/{id}/binary-mask` */
export const getBinaryMask: Handler<'getBinaryMask'> = getMask('binary');
/** `GET /v1/file/{id}/instance-mask` */
export const getInstanceMask: Handler<'getInstanceMask'> = getMask('instance');

/** `GET /v1/file/{id}/metadata` */
export const getMetadata: Handler<'getMetadata'> = async ({ id, service }) => {
  const task = await findImageTask(service, id, 'video_not_image', 'getVideoMetadata');
  // Uploads lie in the input folder, each in a folder named after its task.
  const origin = { filename: task.filename, folder: task.id };
  const value = imageMetadata(origin, await resultOf(service, task, service.tasks.result));
  return { value, saveAs: metadataName(task.filename) };
};

const VIDEO_TYPE = FORMATS.mp4.mediaType;

/** `GET /v1/file/{id}/video/anonymised` */
export const getAnonymisedVideo: Handler<'getAnonymisedVideo'> = async ({ id, service }) => {
  const task = await findTask(service, id);
  if (task.kind === 'image') throw new ApiError('image_not_video', pathOf('getAnonymised', task.id));
  const { result, file } = await fileOfResult(service, task, service.tasks.videoResult, async (now) => {
    if (!now.anonymised) throw new ApiError('nothing_anonymised');
    return service.tasks.anonymisedVideo(task.id, now);
  });
  const name = anonymisedName(task.filename, VIDEO_TYPE, task.video?.preview);
  const tag = result.file && tagOfFile(result.file);
  return { download: { contentType: VIDEO_TYPE, name, file, tag } };
};

/** @throws ApiError 422 as the contract's error table words it; 404 for an unknown id next to other videos */
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
  const result = await resultOf(service, task, service.tasks.videoResult);
  const range = requireRange(query, result.report.frameCount - 1);
  const list: LongArray<FrameReport> = {
    groups: () => framesOf(service, task.id, result, range),
    write: (frame) => frameMetadata(frame, query.timestamps),
    nextTurn: service.nextTurn,
  };
  return { list, saveAs: metadataName(task.filename) };
};
