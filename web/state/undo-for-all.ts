import type { Picture } from './picture';
import type { Settings } from './settings';

/** What of a picture a person decides. */
type Look = Pick<Picture, 'settings' | 'edits'>;

/** What was done to many pictures in one go, so that it can be taken back in one. */
export interface DoneForAll {
  readonly settings: { readonly before: Settings; readonly after: Settings };
  readonly pictures: readonly { readonly id: string; readonly before: Look; readonly after: Look }[];
  /** Whether nothing was edited since. */
  readonly isLatest: boolean;
}

const lookOf = ({ settings, edits }: Picture): Look => ({ settings, edits });

interface Undoable {
  readonly pictures: readonly Picture[];
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
      ? [{ id: picture.id, before: lookOf(was), after: lookOf(picture) }]
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
  const looks = new Map(done.pictures.map(({ id, ...look }) => [id, look]));
  const undone = (picture: Picture): Picture => {
    const look = looks.get(picture.id);
    if (!look) return picture;
    return {
      ...picture,
      ...(picture.settings === look.after.settings && { settings: look.before.settings }),
      ...(picture.edits === look.after.edits && { edits: look.before.edits }),
    };
  };
  return {
    ...state,
    pictures: state.pictures.map(undone),
    settings: state.settings === done.settings.after ? done.settings.before : state.settings,
    doneForAll: null,
  };
};
