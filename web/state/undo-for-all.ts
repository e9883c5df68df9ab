import type { MediaItem } from './media-item';
import type { Settings } from './settings';

/** The parts of an item that a user decides. */
type Appearance = Pick<MediaItem, 'settings' | 'edits'>;

/** One change of many images, which can be undone at once. */
export interface DoneForAll {
  readonly settings: { readonly before: Settings; readonly after: Settings };
  readonly pictures: readonly {
    readonly id: string;
    readonly before: Appearance;
    readonly after: Appearance;
  }[];
  /** Whether nothing was edited since the change. */
  readonly isLatest: boolean;
}

const appearanceOf = ({ settings, edits }: MediaItem): Appearance => ({ settings, edits });

interface Undoable {
  readonly pictures: readonly MediaItem[];
  readonly settings: Settings;
  readonly doneForAll: DoneForAll | null;
}

/** Stores the differences. Files that are processed again are skipped, because their old results are gone. */
export const remembering = <State extends Undoable>(before: State, after: State): State => {
  const old = new Map(before.pictures.map((picture) => [picture.id, picture]));
  const pictures = after.pictures.flatMap((picture) => {
    const was = old.get(picture.id);
    const isSame = was?.settings === picture.settings && was.edits === picture.edits;
    return was && !isSame && picture.status === 'done'
      ? [{ id: picture.id, before: appearanceOf(was), after: appearanceOf(picture) }]
      : [];
  });
  if (pictures.length === 0) return { ...after, doneForAll: null };
  const settings = { before: before.settings, after: after.settings };
  return { ...after, doneForAll: { settings, pictures, isLatest: true } };
};

/** Restores the state before the change; later changes of other kinds stay. */
export const undoneForAll = <State extends Undoable>(state: State): State => {
  const { doneForAll: done } = state;
  if (!done) return state;
  const appearances = new Map(done.pictures.map(({ id, ...appearance }) => [id, appearance]));
  const undone = (picture: MediaItem): MediaItem => {
    const appearance = appearances.get(picture.id);
    if (!appearance) return picture;
    return {
      ...picture,
      ...(picture.settings === appearance.after.settings && { settings: appearance.before.settings }),
      ...(picture.edits === appearance.after.edits && { edits: appearance.before.edits }),
    };
  };
  return {
    ...state,
    pictures: state.pictures.map(undone),
    settings: state.settings === done.settings.after ? done.settings.before : state.settings,
    doneForAll: null,
  };
};
