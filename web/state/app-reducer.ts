import {
  type ClassOverride,
  type BulkChange,
  withOverride,
  settingsWith,
  recordBulkChange,
  undoBulkChange,
} from './for-all';
import { reduceEdits, type EditEvent } from './edit-history';
import {
  queuedAgain,
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
  newItem,
} from './media-item';
import { isEditable } from './wanted-edits';
import { withoutServer } from './fetched-results';
import type { Settings } from './settings';
import type { Decided } from './uncertain/decide';

/** A file and its own name: several may have the same name. */
interface AddedFile {
  readonly id: string;
  readonly file: File;
}

export interface AppState {
  readonly items: readonly MediaItem[];
  readonly selectedId: string | null;
  readonly settings: Settings;
  /** While paused, waiting files stay waiting, and the file that is being processed is finished. */
  readonly isPaused: boolean;
  /** The last change of many images; null if there is nothing to undo. */
  readonly doneForAll: BulkChange | null;
  /** Files with decisions about uncertain objects that wait for further ones: their edits are applied together. */
  readonly held: ReadonlySet<string>;
  /** Bags of robots and vehicles. They are on the screen one after another, and never in the list. */
  readonly bags: readonly AddedFile[];
}

export const emptyState = (settings: Settings): AppState => ({
  items: [],
  selectedId: null,
  settings,
  isPaused: false,
  doneForAll: null,
  held: new Set(),
  bags: [],
});

/** State restored from an earlier visit. */
export type RestoredState = Pick<AppState, 'items' | 'selectedId' | 'settings' | 'isPaused'>;

export type AppEvent =
  | ({ readonly type: 'restored' } & RestoredState)
  | { readonly type: 'stored'; readonly id: string; readonly isStored: boolean }
  | { readonly type: 'added'; readonly files: readonly AddedFile[] }
  | { readonly type: 'bags-added'; readonly bags: readonly AddedFile[] }
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

const withEach = (state: AppState, change: (item: MediaItem) => MediaItem): AppState => ({
  ...state,
  items: state.items.map(change),
});

const withItem = (state: AppState, id: string, change: (item: MediaItem) => MediaItem): AppState =>
  withEach(state, (item) => (item.id === id ? change(item) : item));

/** Edits one file: a change of many images before it is no longer the latest one. */
const withEdited = (
  state: AppState,
  id: string,
  edit: (item: MediaItem) => Partial<MediaItem>,
): AppState => ({
  ...withItem(state, id, (item) => ({ ...item, ...edit(item) })),
  doneForAll: state.doneForAll && { ...state.doneForAll, isLatest: false },
});

/** If the item in view is removed, the next one is selected, or else the last one. */
const removedSome = (state: AppState, ids: ReadonlySet<string>): AppState => {
  const stays = ({ id }: MediaItem): boolean => !ids.has(id);
  const items = state.items.filter(stays);
  if (items.length === state.items.length) return state;
  const at = state.items.findIndex(({ id }) => id === state.selectedId);
  const inView = state.items.slice(Math.max(0, at)).find(stays) ?? items.at(-1);
  return { ...state, items, selectedId: inView?.id ?? null };
};

const stepped = (state: AppState, by: number): AppState => {
  const at = state.items.findIndex(({ id }) => id === state.selectedId);
  return { ...state, selectedId: state.items[at + by]?.id ?? state.selectedId };
};

const withoutUnrecorded = ({ unrecordedDecisions: _again, ...item }: MediaItem): MediaItem => item;

/** Ends the wait of edits. Images are rendered at once, and videos after the files that are processed before them. */
const decisionsEnded = (state: AppState, ids: ReadonlySet<string>): AppState => {
  const ended = new Set([...state.held].filter((id) => ids.has(id)));
  if (ended.size === 0) return state;
  return {
    ...state,
    held: new Set([...state.held].filter((id) => !ended.has(id))),
    items: state.items.map((item) =>
      ended.has(item.id) && hasUnappliedEdits(item) ? toRender(item, 'waiting') : item,
    ),
  };
};

/** Progress events count only while the file is processed: an event from before "apply" is late. */
const whileWorking = (
  state: AppState,
  id: string,
  change: (item: MediaItem) => Partial<MediaItem>,
): AppState =>
  withItem(state, id, (item) => (item.status === 'processing' ? { ...item, ...change(item) } : item));

/** Events about a result count only while it is the item's current result. */
const whileShown = (state: AppState, id: string, taskId: string, change: Partial<MediaItem>): AppState =>
  withItem(state, id, (item) =>
    item.status === 'done' && item.result?.taskId === taskId ? { ...item, ...change } : item,
  );

/** Other images in which the same areas can be drawn. */
export const itemsOfSameSize = (items: readonly MediaItem[], id: string): readonly MediaItem[] => {
  const size = items.find((item) => item.id === id)?.result;
  return items.filter(
    (other) =>
      other.id !== id &&
      other.status === 'done' &&
      other.result?.editable !== undefined &&
      other.result.width === size?.width &&
      other.result.height === size.height,
  );
};

const areasCopied = (state: AppState, id: string): AppState => {
  const areas = state.items.find((item) => item.id === id)?.edits.present;
  if (!areas) return state;
  const targets = new Set(itemsOfSameSize(state.items, id));
  const copied = (item: MediaItem): MediaItem =>
    targets.has(item) ? { ...item, edits: reduceEdits(item.edits, { type: 'areas-added', areas }) } : item;
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
  stored: (state, { id, isStored }) => withItem(state, id, (item) => ({ ...item, isStored })),
  added: (state, { files }) => {
    const items = [...state.items, ...files.map(newItem)];
    return { ...state, items, selectedId: state.selectedId ?? items[0]?.id ?? null };
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
    items: state.items.map((item) =>
      item.id === state.selectedId && isEditable(item, settings) ? { ...item, settings } : item,
    ),
  }),
  applied: (state) =>
    recordBulkChange(
      state,
      withEach(state, (item) => withApplied(item, state.settings)),
    ),
  'subject-chosen': (state, { show }) => ({
    ...state,
    settings: { ...state.settings, show },
    doneForAll: null,
    items: state.items.map((item) => withSubject(item, show)),
  }),
  'class-wished': (state, { wish }) =>
    recordBulkChange(state, {
      ...state,
      settings: settingsWith(state.settings, wish),
      items: state.items.map((item) => withOverride(item, wish)),
    }),
  'undone-for-all': undoBulkChange,
  retried: (state, { id }) => withItem(state, id, retried),
  'retried-some': (state, { ids }) =>
    withEach(state, (item) => (ids.has(item.id) && item.status !== 'processing' ? queuedAgain(item) : item)),
  'retried-failed': (state) => withEach(state, (item) => (item.status === 'failed' ? retried(item) : item)),
  paused: (state, { isPaused }) => ({ ...state, isPaused }),
  started: (state, { id }) => withItem(state, id, (item) => started(item, state.settings)),
  progressed: (state, { type: _, id, ...progress }) =>
    whileWorking(state, id, () => ({ waitsForRelease: false, ...progress })),
  finished: (state, { id, result }) => whileWorking(state, id, (item) => finished(item, result)),
  failed: (state, { id, error }) => whileWorking(state, id, (item) => failed(item, error)),
  stopped: (state, { id, error }) => whileWorking(state, id, (item) => stopped(item, error)),
  'video-edits-applied': (state, { id, result }) =>
    withItem(state, id, (item) => (item.result?.taskId === result.taskId ? { ...item, result } : item)),
  edited: (state, { id, edit }) =>
    withEdited(state, id, (item) => ({
      edits: reduceEdits(item.edits, edit),
      haveTracksChanged: false,
    })),
  decided: (state, { id, after }) => ({
    ...withEdited(state, id, () => after),
    held: new Set([...state.held, id]),
  }),
  'decisions-ended': (state, { ids }) => decisionsEnded(state, ids),
  'decisions-recorded': (state, { id, taskId, text }) =>
    withItem(state, id, (item) => ({
      ...withoutUnrecorded(item),
      recordedDecisions: { taskId, text },
      result: item.result && afterChange(item.result),
    })),
  released: (state, { taskId }) =>
    withEach(state, (item) =>
      item.result?.taskId === taskId ? { ...item, result: { ...item.result, waitsForRelease: false } } : item,
    ),
  'decisions-unrecorded': (state, { id, text }) =>
    withItem(state, id, (item) => ({ ...item, unrecordedDecisions: text })),
  'decisions-retried': (state, { id }) => withItem(state, id, withoutUnrecorded),
  'areas-copied': (state, { id }) => recordBulkChange(state, areasCopied(state, id)),
  'edits-applied': (state, { id, result }) => whileShown(state, id, result.taskId, { result }),
  'revision-failed': (state, { id, taskId }) =>
    whileShown(state, id, taskId, { status: 'failed', error: null, revision: 'failed' }),
  'server-deselected': (state) => withEach(state, withoutServer),
  'thumbnail-made': (state, { id, url }) => withItem(state, id, (item) => ({ ...item, thumbnailUrl: url })),
};

export const reduceApp = (state: AppState, event: AppEvent): AppState =>
  (REDUCERS[event.type] as (state: AppState, event: AppEvent) => AppState)(state, event);

/** The next file to process: the one in view comes first. None while processing is paused. */
export const nextWaiting = ({ items, selectedId, isPaused }: AppState): MediaItem | undefined =>
  isPaused
    ? undefined
    : (items.find(({ id, status }) => status === 'waiting' && id === selectedId) ??
      items.find(({ status }) => status === 'waiting'));
