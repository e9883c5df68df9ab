import { transferEdits } from './edit-history';
import {
  type MediaItem,
  type MediaResult,
  hasUnappliedEdits,
  isStale,
  isVideo,
  keepsOutput,
  needsDetection,
} from './media-item';
import { NOTHING_STATED, hasSameResult, type Settings } from './settings';
import { mapHistory } from './history';
import { hasTrackEdits, keptEdits } from './video-edits';
import { isEditable } from './wanted-edits';

/** What remains of a video's edits, also in all steps: numbers of tracks have another meaning after a new detection. */
const afterDetection = ({
  edits,
  haveTracksChanged,
}: MediaItem): Pick<MediaItem, 'edits' | 'haveTracksChanged'> => ({
  edits: mapHistory(edits, keptEdits),
  haveTracksChanged: haveTracksChanged === true || hasTrackEdits(edits.present),
});

/** Waits for a new detection. */
export const queuedAgain = (item: MediaItem): MediaItem => ({
  ...item,
  status: 'waiting',
  progress: 0,
  frames: null,
  error: null,
  settings: null,
  ...(isVideo(item) && afterDetection(item)),
  revision: 'none',
  // Numbers of objects have another meaning after the next detection.
  decided: [],
  decisions: [],
});

/** Edits that could not be applied are applied again; for everything else, the file is processed again. */
export const retried = (item: MediaItem): MediaItem =>
  item.status === 'failed' && item.revision === 'failed'
    ? { ...item, status: 'done', revision: 'none' }
    : queuedAgain(item);

/** Only its edits are to be applied. */
export const toRender = (item: MediaItem, status: 'waiting' | 'processing'): MediaItem => ({
  ...item,
  status,
  progress: 0,
  frames: null,
  error: null,
  revision: 'wanted',
});

/** Whether the current run produces what these settings need. */
const isSoughtWith = (item: MediaItem, settings: Settings): boolean =>
  item.status === 'processing' &&
  item.settings !== null &&
  hasSameResult(item.settings, settings) &&
  keepsOutput(item, settings);

/** Whether only edits of an existing result are to be applied. */
const isRendering = ({ status, revision }: MediaItem): boolean =>
  status === 'done' || (status !== 'failed' && revision === 'wanted');

/** With other audio, metadata or reasons, which edits can give the video's result. */
const withOutput = (
  item: MediaItem,
  { audio, keepMetadata = false, stated = NOTHING_STATED }: Settings,
): MediaItem => {
  const next = item.settings
    ? { ...item, settings: { ...item.settings, audio, keepMetadata, stated } }
    : item;
  return item.status !== 'done' || hasUnappliedEdits(next) ? toRender(next, 'waiting') : next;
};

/** Applies other settings: at once or by a rendering if no detection is needed, else after a new run. */
const withSettings = (item: MediaItem, settings: Settings): MediaItem => {
  if (isEditable(item, settings) || isSoughtWith(item, settings)) return { ...item, settings };
  if (isRendering(item) && !needsDetection(item, settings)) return withOutput(item, settings);
  return queuedAgain(item);
};

/** Another person stays visible. Running work is started again, because the person before may be deleted. */
export const withSubject = (item: MediaItem, show: string): MediaItem => {
  const { settings, status, revision } = item;
  if (!settings) return item;
  const next = { ...item, settings: { ...settings, show } };
  if (status === 'processing') return revision === 'wanted' ? toRender(next, 'waiting') : queuedAgain(next);
  return hasUnappliedEdits(next) ? toRender(next, 'waiting') : next;
};

/** After "Apply": waits for a new detection or a rendering if the result lacks settings or edits. */
export const withApplied = (item: MediaItem, settings: Settings): MediaItem => {
  if (isStale(item, settings)) return withSettings(item, settings);
  return hasUnappliedEdits(item) ? toRender(item, 'waiting') : item;
};

export const started = (item: MediaItem, settings: Settings): MediaItem =>
  item.revision === 'wanted'
    ? toRender(item, 'processing')
    : { ...queuedAgain(item), status: 'processing', settings };

/** Keeps the old result if edits could not be applied. @param error reason in one sentence; null if unknown */
export const failed = (item: MediaItem, error: string | null): Partial<MediaItem> =>
  item.revision === 'wanted'
    ? { status: 'done', revision: 'failed', error }
    : { status: 'failed', error, result: null };

/** After the user has stopped it. @param error states this */
export const stopped = (item: MediaItem, error: string): Partial<MediaItem> =>
  item.revision === 'wanted' ? { status: 'done', revision: 'none' } : failed(item, error);

/** Edits of a result, also those that were made during the run. */
const transferred = (item: MediaItem, result: MediaResult): Partial<MediaItem> => {
  if (item.revision === 'wanted') return {};
  if (result.video) return afterDetection(item);
  return { edits: transferEdits(item.edits, item.result?.editable?.found, result.editable?.found) };
};

/** Sets the result of a run. */
export const finished = (item: MediaItem, result: MediaResult): Partial<MediaItem> => ({
  status: 'done',
  progress: 1,
  revision: 'none',
  interruptions: 0,
  result,
  ...transferred(item, result),
});
