import { hides } from '#shared/catalogue/methods';
import type { ApiClient } from '#shared/api/client';
import type { Edits } from '#shared/domain/edits/edits';
import type { TaskResponse } from '#shared/api/contract/schemas-tasks';
import type { ImageOptions } from '#shared/domain/options';
import type { firstResult } from './api-anonymiser';
import { NO_HISTORY } from './edit-history';
import type { MediaItem, MediaResult, newPicture } from './media-item';
import { itemEditsOf, settingsOf } from './requested-edits';
import type { Settings } from './settings';
import { videoResult } from './video-result';

/** A done task of a server, with the options of its upload and the edits that its result shows. */
export interface DoneTask {
  readonly record: TaskResponse;
  readonly options: ImageOptions;
  readonly edits: Edits;
}

/** Reads results of a server. Functions of the page are passed: see `ReviewParts`. */
export interface ResultSource {
  readonly client: ApiClient<File>;
  readonly firstResult: typeof firstResult;
  readonly newPicture: typeof newPicture;
}

type Edited = Pick<MediaItem, 'result' | 'edits'>;

const editedImage = async (
  { client, firstResult }: ResultSource,
  { record: { id }, options, edits }: DoneTask,
  settings: Settings,
): Promise<Edited> => {
  const { revisable, ...result } = await firstResult(client, id, settings);
  const present = itemEditsOf(options, edits);
  return {
    result: {
      ...result,
      ...(revisable && { revisable: { ...revisable, made: { settings, edits: present } } }),
    },
    edits: { ...NO_HISTORY, present },
  };
};

const editedVideo = async (
  { client }: ResultSource,
  { record, options, edits }: DoneTask,
  settings: Settings,
): Promise<Edited> => {
  const result: MediaResult = await videoResult(client, record, hides(settings.method));
  const { video } = result;
  if (!video) throw new Error('The result of a video is that of an image.');
  const present = itemEditsOf({ ...options, ignores: [] }, edits);
  const { followed = [] } = await client.edits(record.id);
  const made = edits.audio === 'mute' ? { ...present, audio: edits.audio } : present;
  return { result: { ...result, video: { ...video, made, followed } }, edits: { ...NO_HISTORY, present } };
};

/** The decisions that the service has recorded, so that later ones do not replace them. */
const recordedDecisions = async (
  { client }: ResultSource,
  { id, content_type: type }: TaskResponse,
): Promise<Pick<MediaItem, 'decisions' | 'decided' | 'recordedDecisions'>> => {
  const records = (await client.decisions(id)).decisions;
  const decisions = records.map(({ at: _at, reviewer: _reviewer, ...made }) => made);
  const kind = type.startsWith('video/') ? 'track' : 'object';
  return {
    decisions,
    decided: decisions.flatMap((made) => (made.id === undefined ? [] : [`${kind} ${made.id}`])),
    recordedDecisions: { taskId: id, text: JSON.stringify(decisions) },
  };
};

/** The item of a done task, with its edits. @param file the source */
export const reviewedItem = async (source: ResultSource, task: DoneTask, file: File): Promise<MediaItem> => {
  const hasNoAudio = (task.record.audio ?? task.edits.audio) === 'mute';
  const settings = { ...settingsOf(task.options, task.edits), ...(hasNoAudio && { audio: 'mute' as const }) };
  const isVideo = task.record.content_type.startsWith('video/');
  return {
    ...source.newPicture({ id: task.record.id, file }),
    status: 'done',
    progress: 1,
    isStored: true,
    settings,
    ...(isVideo ? await editedVideo(source, task, settings) : await editedImage(source, task, settings)),
    ...(await recordedDecisions(source, task.record)),
  };
};
