import {
  type ClassOverride,
  type DoneForAll,
  withOverride,
  settingsWith,
  remembering,
  undoneForAll,
} from './for-all';
import { reduceEdits, type EditEvent } from './edit-history';
import {
  again,
  failed,
  finished,
  retried,
  started,
  stopped,
  toRender,
  withApplied,
  withSubject,
} from './item-runs';
import {
  type MediaItem,
  type MediaResult,
  type WorkProgress,
  afterChange,
  hasUnappliedEdits,
  newPicture,
} from './media-item';
import { isEditable } from './wanted-edits';
import { withoutServer } from './fetched-results';
import type { Settings } from './settings';
import type { Decided } from './uncertain/decide';

export interface AppState {
  readonly pictures: readonly MediaItem[];
  readonly selectedId: string | null;
  readonly settings: Settings;
  /** While paused, waiting files stay waiting, and the file that is being processed is finished. */
  readonly isPaused: boolean;
  /** The last change of many images; null if there is nothing to undo. */
  readonly doneForAll: DoneForAll | null;
  /** Files with decisions about uncertain objects that wait for further ones: their edits are applied together. */
  readonly held: ReadonlySet<string>;
  /** Bags of robots and vehicles. They are on the screen one after another, and never in the list. */
  readonly bags: readonly File[];
}

export const emptyState = (settings: Settings): AppState => ({
  pictures: [],
  selectedId: null,
  settings,
  isPaused: false,
  doneForAll: null,
  held: new Set(),
  bags: [],
});

/** State restored from an earlier visit. */
export type RestoredState = Pick<AppState, 'pictures' | 'selectedId' | 'settings' | 'isPaused'>;

export type AppEvent =
  | ({ readonly type: 'restored' } & RestoredState)
  | { readonly type: 'stored'; readonly id: string; readonly isStored: boolean }
  | { readonly type: 'added'; readonly files: readonly { readonly id: string; readonly file: File }[] }
  | { readonly type: 'bags-added'; readonly bags: readonly File[] }
  /** The one on the screen. */
  | { readonly type: 'bag-closed' }
  | { readonly type: 'removed'; readonly id: string }
  | { readonly type: 'removed-some'; readonly ids: ReadonlySet<string> }
  | { readonly type: 'cleared' }
  | { readonly type: 'selected'; readonly id: string }
  | { readonly type: 'stepped'; readonly by: 1 | -1 }
  | { readonly type: 'settings-changed'; readonly settings: Settings }
  | { readonly type: 'applied' }
  /** The person who stays visible in all files, or `NO_SUBJECT`. */
  | { readonly type: 'subject-chosen'; readonly show: string }
  /** All objects of a class, in all editable images. */
  | { readonly type: 'class-wished'; readonly wish: ClassOverride }
  /** The last change of many images. */
  | { readonly type: 'undone-for-all' }
  | { readonly type: 'retried'; readonly id: string }
  /** Processes these files again with the current settings, except those that are being processed. */
  | { readonly type: 'retried-some'; readonly ids: ReadonlySet<string> }
  /** All failed files. */
  | { readonly type: 'retried-failed' }
  | { readonly type: 'paused'; readonly isPaused: boolean }
  | { readonly type: 'started'; readonly id: string }
  | ({ readonly type: 'progressed'; readonly id: string } & WorkProgress)
  | { readonly type: 'finished'; readonly id: string; readonly result: MediaResult }
  | { readonly type: 'failed'; readonly id: string; readonly error: string | null }
  | { readonly type: 'stopped'; readonly id: string; readonly error: string }
  /** A result was replaced, even if it is no longer needed. */
  | { readonly type: 'video-edits-applied'; readonly id: string; readonly result: MediaResult }
  | { readonly type: 'edited'; readonly id: string; readonly edit: EditEvent }
  /** Copies the drawn areas of an image to all images of its size. */
  | { readonly type: 'areas-copied'; readonly id: string }
  /** A decision about an uncertain object, or its undoing. @param after the parts that it changes */
  | { readonly type: 'decided'; readonly id: string; readonly after: Decided }
  /** The host of a result has recorded these decisions. */
  | {
      readonly type: 'decisions-recorded';
      readonly id: string;
      readonly taskId: string;
      readonly text: string;
    }
  | { readonly type: 'released'; readonly taskId: string }
  | { readonly type: 'decisions-unrecorded'; readonly id: string; readonly text: string }
  /** Decisions that could not be recorded are sent again. */
  | { readonly type: 'decisions-retried'; readonly id: string }
  /** No further decisions about these files are expected soon. */
  | { readonly type: 'decisions-ended'; readonly ids: ReadonlySet<string> }
  | { readonly type: 'edits-applied'; readonly id: string; readonly result: MediaResult }
  | { readonly type: 'revision-failed'; readonly id: string; readonly taskId: string }
  /** Results of the server can no longer be edited. */
  | { readonly type: 'server-deselected' }
  | { readonly type: 'thumbnail-made'; readonly id: string; readonly url: string };

const withEach = (state: AppState, change: (picture: MediaItem) => MediaItem): AppState => ({
  ...state,
  pictures: state.pictures.map(change),
});

const withPicture = (state: AppState, id: string, change: (picture: MediaItem) => MediaItem): AppState =>
  withEach(state, (picture) => (picture.id === id ? change(picture) : picture));

/** Edits one file: a change of many images before it is no longer the latest one. */
const withEdited = (
  state: AppState,
  id: string,
  edit: (picture: MediaItem) => Partial<MediaItem>,
): AppState => ({
  ...withPicture(state, id, (picture) => ({ ...picture, ...edit(picture) })),
  doneForAll: state.doneForAll && { ...state.doneForAll, isLatest: false },
});

/** If the item in view is removed, the next one is selected, or else the last one. */
const removedSome = (state: AppState, ids: ReadonlySet<string>): AppState => {
  const stays = ({ id }: MediaItem): boolean => !ids.has(id);
  const pictures = state.pictures.filter(stays);
  if (pictures.length === state.pictures.length) return state;
  const at = state.pictures.findIndex(({ id }) => id === state.selectedId);
  const inView = state.pictures.slice(Math.max(0, at)).find(stays) ?? pictures.at(-1);
  return { ...state, pictures, selectedId: inView?.id ?? null };
};

const stepped = (state: AppState, by: number): AppState => {
  const at = state.pictures.findIndex(({ id }) => id === state.selectedId);
  return { ...state, selectedId: state.pictures[at + by]?.id ?? state.selectedId };
};

const withoutUnrecorded = ({ unrecordedDecisions: _again, ...picture }: MediaItem): MediaItem => picture;

/** Ends the wait of edits. Images are rendered at once, and videos after the files that are processed before them. */
const decisionsEnded = (state: AppState, ids: ReadonlySet<string>): AppState => {
  const ended = new Set([...state.held].filter((id) => ids.has(id)));
  if (ended.size === 0) return state;
  return {
    ...state,
    held: new Set([...state.held].filter((id) => !ended.has(id))),
    pictures: state.pictures.map((picture) =>
      ended.has(picture.id) && hasUnappliedEdits(picture) ? toRender(picture, 'waiting') : picture,
    ),
  };
};

/** Progress events count only while the file is processed: an event from before "apply" is late. */
const whileWorking = (
  state: AppState,
  id: string,
  change: (picture: MediaItem) => Partial<MediaItem>,
): AppState =>
  withPicture(state, id, (picture) =>
    picture.status === 'processing' ? { ...picture, ...change(picture) } : picture,
  );

/** Events about a result count only while it is the item's current result. */
const whileShown = (state: AppState, id: string, taskId: string, change: Partial<MediaItem>): AppState =>
  withPicture(state, id, (picture) =>
    picture.status === 'done' && picture.result?.taskId === taskId ? { ...picture, ...change } : picture,
  );

/** Other images in which the same areas can be drawn. */
export const picturesLike = (pictures: readonly MediaItem[], id: string): readonly MediaItem[] => {
  const size = pictures.find((picture) => picture.id === id)?.result;
  return pictures.filter(
    (other) =>
      other.id !== id &&
      other.status === 'done' &&
      other.result?.editable !== undefined &&
      other.result.width === size?.width &&
      other.result.height === size.height,
  );
};

const areasCopied = (state: AppState, id: string): AppState => {
  const areas = state.pictures.find((picture) => picture.id === id)?.edits.present;
  if (!areas) return state;
  const targets = new Set(picturesLike(state.pictures, id));
  const copied = (picture: MediaItem): MediaItem =>
    targets.has(picture)
      ? { ...picture, edits: reduceEdits(picture.edits, { type: 'areas-added', areas }) }
      : picture;
  return withEach(state, copied);
};

type EventOf<Type extends AppEvent['type']> = Extract<AppEvent, { readonly type: Type }>;

const REDUCERS: {
  readonly [Type in AppEvent['type']]: (state: AppState, event: EventOf<Type>) => AppState;
} = {
  restored: (state, { type: _, settings, ...restored }) => ({
    ...state,
    ...restored,
    settings: { ...state.settings, ...settings },
  }),
  stored: (state, { id, isStored }) => withPicture(state, id, (picture) => ({ ...picture, isStored })),
  added: (state, { files }) => {
    const pictures = [...state.pictures, ...files.map(newPicture)];
    return { ...state, pictures, selectedId: state.selectedId ?? pictures[0]?.id ?? null };
  },
  'bags-added': (state, { bags }) => ({ ...state, bags: [...state.bags, ...bags] }),
  'bag-closed': (state) => ({ ...state, bags: state.bags.slice(1) }),
  removed: (state, { id }) => removedSome(state, new Set([id])),
  'removed-some': (state, { ids }) => removedSome(state, ids),
  cleared: (state) => emptyState(state.settings),
  selected: (state, { id }) => ({ ...state, selectedId: id }),
  stepped: (state, { by }) => stepped(state, by),
  'settings-changed': (state, { settings }) => ({
    ...state,
    settings,
    doneForAll: null,
    pictures: state.pictures.map((picture) =>
      picture.id === state.selectedId && isEditable(picture, settings) ? { ...picture, settings } : picture,
    ),
  }),
  applied: (state) =>
    remembering(
      state,
      withEach(state, (picture) => withApplied(picture, state.settings)),
    ),
  'subject-chosen': (state, { show }) => ({
    ...state,
    settings: { ...state.settings, show },
    doneForAll: null,
    pictures: state.pictures.map((picture) => withSubject(picture, show)),
  }),
  'class-wished': (state, { wish }) =>
    remembering(state, {
      ...state,
      settings: settingsWith(state.settings, wish),
      pictures: state.pictures.map((picture) => withOverride(picture, wish)),
    }),
  'undone-for-all': undoneForAll,
  retried: (state, { id }) => withPicture(state, id, retried),
  'retried-some': (state, { ids }) =>
    withEach(state, (picture) =>
      ids.has(picture.id) && picture.status !== 'processing' ? again(picture) : picture,
    ),
  'retried-failed': (state) =>
    withEach(state, (picture) => (picture.status === 'failed' ? retried(picture) : picture)),
  paused: (state, { isPaused }) => ({ ...state, isPaused }),
  started: (state, { id }) => withPicture(state, id, (picture) => started(picture, state.settings)),
  progressed: (state, { type: _, id, ...progress }) =>
    whileWorking(state, id, () => ({ waitsForRelease: false, ...progress })),
  finished: (state, { id, result }) => whileWorking(state, id, (picture) => finished(picture, result)),
  failed: (state, { id, error }) => whileWorking(state, id, (picture) => failed(picture, error)),
  stopped: (state, { id, error }) => whileWorking(state, id, (picture) => stopped(picture, error)),
  'video-edits-applied': (state, { id, result }) =>
    withPicture(state, id, (picture) =>
      picture.result?.taskId === result.taskId ? { ...picture, result } : picture,
    ),
  edited: (state, { id, edit }) =>
    withEdited(state, id, (picture) => ({
      edits: reduceEdits(picture.edits, edit),
      haveTracksChanged: false,
    })),
  decided: (state, { id, after }) => ({
    ...withEdited(state, id, () => after),
    held: new Set([...state.held, id]),
  }),
  'decisions-ended': (state, { ids }) => decisionsEnded(state, ids),
  'decisions-recorded': (state, { id, taskId, text }) =>
    withPicture(state, id, (picture) => ({
      ...withoutUnrecorded(picture),
      recordedDecisions: { taskId, text },
      result: picture.result && afterChange(picture.result),
    })),
  released: (state, { taskId }) =>
    withEach(state, (picture) =>
      picture.result?.taskId === taskId
        ? { ...picture, result: { ...picture.result, waitsForRelease: false } }
        : picture,
    ),
  'decisions-unrecorded': (state, { id, text }) =>
    withPicture(state, id, (picture) => ({ ...picture, unrecordedDecisions: text })),
  'decisions-retried': (state, { id }) => withPicture(state, id, withoutUnrecorded),
  'areas-copied': (state, { id }) => remembering(state, areasCopied(state, id)),
  'edits-applied': (state, { id, result }) => whileShown(state, id, result.taskId, { result }),
  'revision-failed': (state, { id, taskId }) =>
    whileShown(state, id, taskId, { status: 'failed', error: null, revision: 'failed' }),
  'server-deselected': (state) => withEach(state, withoutServer),
  'thumbnail-made': (state, { id, url }) =>
    withPicture(state, id, (picture) => ({ ...picture, thumbnailUrl: url })),
};

export const reduceApp = (state: AppState, event: AppEvent): AppState =>
  (REDUCERS[event.type] as (state: AppState, event: AppEvent) => AppState)(state, event);

/** The next file to process: the one in view comes first. None while processing is paused. */
export const nextWaiting = ({ pictures, selectedId, isPaused }: AppState): MediaItem | undefined =>
  isPaused
    ? undefined
    : (pictures.find(({ id, status }) => status === 'waiting' && id === selectedId) ??
      pictures.find(({ status }) => status === 'waiting'));
