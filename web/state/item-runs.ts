import { carryEdits } from './edit-history';
import {
  type MediaItem,
  type MediaResult,
  hasUnappliedEdits,
  isStale,
  isVideo,
  keepsItsOutput,
  needsDetection,
} from './media-item';
import { NOTHING_STATED, sameSearch, type Settings } from './settings';
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
export const again = (picture: MediaItem): MediaItem => ({
  ...picture,
  status: 'waiting',
  progress: 0,
  frames: null,
  error: null,
  settings: null,
  ...(isVideo(picture) && afterDetection(picture)),
  revision: 'none',
  // Numbers of objects have another meaning after the next detection.
  decided: [],
  decisions: [],
});

/** Edits that could not be applied are applied again; for everything else, the file is processed again. */
export const retried = (picture: MediaItem): MediaItem =>
  picture.status === 'failed' && picture.revision === 'failed'
    ? { ...picture, status: 'done', revision: 'none' }
    : again(picture);

/** Only its edits are to be applied. */
export const toRender = (picture: MediaItem, status: 'waiting' | 'processing'): MediaItem => ({
  ...picture,
  status,
  progress: 0,
  frames: null,
  error: null,
  revision: 'wanted',
});

/** Whether the current run produces what these settings need. */
const isSoughtWith = (picture: MediaItem, settings: Settings): boolean =>
  picture.status === 'processing' &&
  picture.settings !== null &&
  sameSearch(picture.settings, settings) &&
  keepsItsOutput(picture, settings);

/** Whether only edits of an existing result are to be applied. */
const isRendering = ({ status, revision }: MediaItem): boolean =>
  status === 'done' || (status !== 'failed' && revision === 'wanted');

/** With other audio, metadata or reasons, which edits can give the video's result. */
const withOutput = (
  picture: MediaItem,
  { audio, keepMetadata = false, stated = NOTHING_STATED }: Settings,
): MediaItem => {
  const next = picture.settings
    ? { ...picture, settings: { ...picture.settings, audio, keepMetadata, stated } }
    : picture;
  return picture.status !== 'done' || hasUnappliedEdits(next) ? toRender(next, 'waiting') : next;
};

/** Applies other settings: at once or by a rendering if no detection is needed, else after a new run. */
const withSettings = (picture: MediaItem, settings: Settings): MediaItem => {
  if (isEditable(picture, settings) || isSoughtWith(picture, settings)) return { ...picture, settings };
  if (isRendering(picture) && !needsDetection(picture, settings)) return withOutput(picture, settings);
  return again(picture);
};

/** Another person stays visible. Running work is started again, because the person before may be deleted. */
export const withSubject = (picture: MediaItem, show: string): MediaItem => {
  const { settings, status, revision } = picture;
  if (!settings) return picture;
  const next = { ...picture, settings: { ...settings, show } };
  if (status === 'processing') return revision === 'wanted' ? toRender(next, 'waiting') : again(next);
  return hasUnappliedEdits(next) ? toRender(next, 'waiting') : next;
};

/** After "Apply": waits for a new detection or a rendering if the result lacks settings or edits. */
export const withApplied = (picture: MediaItem, settings: Settings): MediaItem => {
  if (isStale(picture, settings)) return withSettings(picture, settings);
  return hasUnappliedEdits(picture) ? toRender(picture, 'waiting') : picture;
};

export const started = (picture: MediaItem, settings: Settings): MediaItem =>
  picture.revision === 'wanted'
    ? toRender(picture, 'processing')
    : { ...again(picture), status: 'processing', settings };

/** Keeps the old result if edits could not be applied. @param error reason in one sentence; null if unknown */
export const failed = (picture: MediaItem, error: string | null): Partial<MediaItem> =>
  picture.revision === 'wanted'
    ? { status: 'done', revision: 'failed', error }
    : { status: 'failed', error, result: null };

/** After the user has stopped it. @param error states this */
export const stopped = (picture: MediaItem, error: string): Partial<MediaItem> =>
  picture.revision === 'wanted' ? { status: 'done', revision: 'none' } : failed(picture, error);

/** Edits of a result, also those that were made during the run. */
const transferred = (picture: MediaItem, result: MediaResult): Partial<MediaItem> => {
  if (picture.revision === 'wanted') return {};
  if (result.video) return afterDetection(picture);
  return { edits: carryEdits(picture.edits, picture.result?.editable?.found, result.editable?.found) };
};

/** Sets the result of a run. */
export const finished = (picture: MediaItem, result: MediaResult): Partial<MediaItem> => ({
  status: 'done',
  progress: 1,
  revision: 'none',
  interruptions: 0,
  result,
  ...transferred(picture, result),
});
