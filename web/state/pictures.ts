import type { ObjectClass } from '#shared/pipeline/object-class';
import { sameSettings, type Settings } from './settings';

/** One object found, in px of the upright picture. */
export interface FoundObject {
  readonly id: number;
  readonly objectClass: ObjectClass;
  /** 0..1 */
  readonly score: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What became of a picture. */
export interface PictureResult {
  readonly taskId: string;
  readonly width: number;
  readonly height: number;
  readonly objects: readonly FoundObject[];
  readonly durationS: number;
  /** False where objects were only looked for: there is no new picture then. */
  readonly hasPicture: boolean;
}

export const PICTURE_STATUSES = ['waiting', 'processing', 'done', 'failed'] as const;
export type PictureStatus = (typeof PICTURE_STATUSES)[number];

export interface Picture {
  readonly id: string;
  readonly file: File;
  readonly status: PictureStatus;
  /** 0..1 */
  readonly progress: number;
  /** One sentence about a failed picture; null where the reason is not known. */
  readonly error: string | null;
  /** Address of a small copy, once there is one. */
  readonly thumbnailUrl: string | null;
  /** What it was, or is being, processed with. */
  readonly settings: Settings | null;
  /** Stays while the picture is processed again, so that the screen does not go blank. */
  readonly result: PictureResult | null;
}

export interface AppState {
  readonly pictures: readonly Picture[];
  readonly selectedId: string | null;
  readonly settings: Settings;
}

export type AppEvent =
  | { readonly type: 'added'; readonly files: readonly { readonly id: string; readonly file: File }[] }
  | { readonly type: 'removed'; readonly id: string }
  | { readonly type: 'cleared' }
  | { readonly type: 'selected'; readonly id: string }
  | { readonly type: 'stepped'; readonly by: 1 | -1 }
  | { readonly type: 'settings-changed'; readonly settings: Settings }
  | { readonly type: 'applied' }
  | { readonly type: 'started'; readonly id: string }
  | { readonly type: 'progressed'; readonly id: string; readonly progress: number }
  | { readonly type: 'finished'; readonly id: string; readonly result: PictureResult }
  | { readonly type: 'failed'; readonly id: string; readonly error: string | null }
  | { readonly type: 'thumbnail-made'; readonly id: string; readonly url: string };

const newPicture = ({ id, file }: { readonly id: string; readonly file: File }): Picture => ({
  id,
  file,
  status: 'waiting',
  progress: 0,
  error: null,
  thumbnailUrl: null,
  settings: null,
  result: null,
});

/** Whether the picture was made with other settings than those chosen now. */
export const isStale = (picture: Picture, settings: Settings): boolean =>
  picture.settings !== null && !sameSettings(picture.settings, settings);

const withPicture = (state: AppState, id: string, change: (picture: Picture) => Picture): AppState => ({
  ...state,
  pictures: state.pictures.map((picture) => (picture.id === id ? change(picture) : picture)),
});

const removed = (state: AppState, id: string): AppState => {
  const at = state.pictures.findIndex((picture) => picture.id === id);
  if (at < 0) return state;
  const pictures = state.pictures.filter((picture) => picture.id !== id);
  if (state.selectedId !== id) return { ...state, pictures };
  return { ...state, pictures, selectedId: (pictures[at] ?? pictures[at - 1])?.id ?? null };
};

const stepped = (state: AppState, by: number): AppState => {
  const at = state.pictures.findIndex(({ id }) => id === state.selectedId);
  return { ...state, selectedId: state.pictures[at + by]?.id ?? state.selectedId };
};

const applied = (state: AppState): AppState => ({
  ...state,
  pictures: state.pictures.map((picture) =>
    isStale(picture, state.settings)
      ? { ...picture, status: 'waiting', progress: 0, error: null, settings: null }
      : picture,
  ),
});

/** Reports about work count only while the picture is being worked on: one from before "apply" is late. */
const worked = (
  state: AppState,
  event: Extract<AppEvent, { type: 'progressed' | 'finished' | 'failed' }>,
): AppState =>
  withPicture(state, event.id, (picture) => {
    if (picture.status !== 'processing') return picture;
    switch (event.type) {
      case 'progressed':
        return { ...picture, progress: event.progress };
      case 'finished':
        return { ...picture, status: 'done', progress: 1, result: event.result };
      case 'failed':
        return { ...picture, status: 'failed', error: event.error, result: null };
    }
  });

const started = (state: AppState, id: string): AppState =>
  withPicture(state, id, (picture) => ({
    ...picture,
    status: 'processing',
    progress: 0,
    error: null,
    settings: state.settings,
  }));

export const reduceApp = (state: AppState, event: AppEvent): AppState => {
  switch (event.type) {
    case 'added': {
      const pictures = [...state.pictures, ...event.files.map(newPicture)];
      return { ...state, pictures, selectedId: state.selectedId ?? pictures[0]?.id ?? null };
    }
    case 'removed':
      return removed(state, event.id);
    case 'cleared':
      return { ...state, pictures: [], selectedId: null };
    case 'selected':
      return { ...state, selectedId: event.id };
    case 'stepped':
      return stepped(state, event.by);
    case 'settings-changed':
      return { ...state, settings: event.settings };
    case 'applied':
      return applied(state);
    case 'started':
      return started(state, event.id);
    case 'thumbnail-made':
      return withPicture(state, event.id, (picture) => ({ ...picture, thumbnailUrl: event.url }));
    case 'progressed':
    case 'finished':
    case 'failed':
      return worked(state, event);
  }
};

/** What the next picture is: the one in view comes first. */
export const nextWaiting = ({ pictures, selectedId }: AppState): Picture | undefined =>
  pictures.find(({ id, status }) => status === 'waiting' && id === selectedId) ??
  pictures.find(({ status }) => status === 'waiting');

/** How many objects of each class were found. */
export const countObjects = (objects: readonly FoundObject[]): ReadonlyMap<ObjectClass, number> => {
  const counts = new Map<ObjectClass, number>();
  for (const { objectClass } of objects) counts.set(objectClass, (counts.get(objectClass) ?? 0) + 1);
  return counts;
};
