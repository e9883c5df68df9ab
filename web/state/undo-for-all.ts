import type { MediaItem } from './media-item';
import type { Settings } from './settings';

/** What of a picture a person decides. */
type Appearance = Pick<MediaItem, 'settings' | 'edits'>;

/** What was done to many pictures in one go, so that it can be taken back in one. */
export interface DoneForAll {
  readonly settings: { readonly before: Settings; readonly after: Settings };
  readonly pictures: readonly {
    readonly id: string;
    readonly before: Appearance;
    readonly after: Appearance;
  }[];
  /** Whether nothing was edited since. */
  readonly isLatest: boolean;
}

const appearanceOf = ({ settings, edits }: MediaItem): Appearance => ({ settings, edits });

interface Undoable {
  readonly pictures: readonly MediaItem[];
  readonly settings: Settings;
  readonly doneForAll: DoneForAll | null;
}

/** Remembers what differs. What is searched anew is left out: it has no result to go back to. */
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

/** As it was before; what was changed otherwise since stays. */
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
