import type { ApiClient, Download } from '#shared/api/client';
import type { Anonymiser } from './work';
import type { DetectionMetadata, VideoMetadata } from '#shared/api/contract/schemas-results';
import type { ObjectClass } from '#shared/catalogue/classes';
import type { TaskResponse } from '#shared/api/contract/schemas-tasks';
import type { FoundObject, MediaResult } from './media-item';

/** Whether it is an object, which a person can select, and not an area of the upload that is always hidden. */
export const isObject = ({ type_label: name }: Pick<DetectionMetadata, 'type_label'>): boolean =>
  name !== 'area';

/** An object as the page has it. @param id where it is not the detection's */
export const foundObject = (
  detection: Pick<DetectionMetadata, 'id' | 'type_label' | 'score' | 'bbox'>,
  id = detection.id,
): FoundObject => {
  const { type_label: objectClass, score, bbox } = detection;
  const [x, y, x2, y2] = bbox;
  return { id, objectClass: objectClass as ObjectClass, score, x, y, width: x2 - x, height: y2 - y };
};

/** What the source says of its projection, as a result has it. */
export const statedProjection = ({
  projection,
}: Pick<TaskResponse, 'projection'>): Pick<MediaResult, 'projection'> => (projection ? { projection } : {});

/** Number of frames per metadata request. */
const FRAMES_AT_ONCE = 500;

/** Reads the detections of a video's frames in chunks. */
export async function* videoFrames(
  client: ApiClient<File>,
  id: string,
  frameCount: number,
): AsyncGenerator<{ readonly frames: VideoMetadata }> {
  for (let first = 0; first < frameCount; first += FRAMES_AT_ONCE) {
    const last = Math.min(first + FRAMES_AT_ONCE, frameCount) - 1;
    // The API has no last frame 0: without the parameter, the last frame of the video applies.
    const frames = await client.videoMetadata(id, {
      timestamps: true,
      start_frame: first,
      ...(last > 0 && { end_frame: last }),
    });
    yield { frames };
  }
}

/** A file that is not read yet stays so. */
export const blobOf = ({ contentType: type, file }: Download): Blob => {
  if (file instanceof Uint8Array) return new Blob([file as Uint8Array<ArrayBuffer>], { type });
  return (file.handle as Blob).slice(0, file.sizeBytes, type);
};

/** The file of an image goes when edits replace it, while it may be on the screen. */
const copyOf = async (download: Download): Promise<Blob> =>
  new Blob([await blobOf(download).arrayBuffer()], { type: download.contentType });

const jsonFile = (parts: readonly string[]): Blob => new Blob([...parts], { type: 'application/json' });

/** Returns the files of results, in the form in which they are saved. Videos are files that are not read yet. */
export const createResultFiles = (
  client: ApiClient<File>,
): Pick<Anonymiser, 'file' | 'masks' | 'report' | 'log' | 'detections' | 'metadata'> => ({
  file: async ({ taskId, video }) =>
    video ? blobOf(await client.anonymisedVideo(taskId)) : copyOf(await client.anonymised(taskId)),
  masks: async ({ taskId, video }) => {
    if (video) return [];
    const [binary, instance] = await Promise.all([client.binaryMask(taskId), client.instanceMask(taskId)]);
    return [
      { kind: 'binary', file: blobOf(binary) },
      { kind: 'instance', file: blobOf(instance) },
    ];
  },
  report: async ({ taskId }) => blobOf(await client.report(taskId)),
  log: async ({ taskId }) => ({
    csv: blobOf(await client.redactions(taskId, { format: 'csv' })),
    page: blobOf(await client.reportPage(taskId)),
  }),
  detections: async ({ taskId, video }) => {
    if (!video) return client.metadata(taskId);
    const all: VideoMetadata = [];
    for await (const { frames } of videoFrames(client, taskId, video.frameCount)) all.push(...frames);
    return all;
  },
  metadata: async ({ taskId, video }) => {
    if (!video) return jsonFile([JSON.stringify(await client.metadata(taskId))]);
    const parts: string[] = [];
    for await (const { frames } of videoFrames(client, taskId, video.frameCount)) {
      // Several lists of frames are joined to one.
      const plain = frames.map(({ timestamp: _notSaved, ...frame }) => frame);
      parts.push(parts.length > 0 ? ',' : '[', JSON.stringify(plain).slice(1, -1));
    }
    return jsonFile([...parts, ']']);
  },
});
