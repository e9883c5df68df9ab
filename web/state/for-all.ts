import { listObjects, specialMethod } from '#shared/domain/edits/list-objects';
import type { ObjectClass } from '#shared/catalogue/classes';
import type { HidingMethod, Method } from '#shared/catalogue/methods';
import type { MediaItem } from './media-item';
import { isEditable } from './wanted-edits';
import { setClassMethod, type Settings } from './settings';

/** How to hide all objects of a class in all images. */
export interface ClassOverride {
  readonly objectClass: ObjectClass;
  readonly how: HidingMethod | 'visible';
}

export const settingsWith = (settings: Settings, { objectClass, how }: ClassOverride): Settings =>
  how === 'visible'
    ? { ...settings, classes: settings.classes.filter((name) => name !== objectClass) }
    : setClassMethod(settings, objectClass, how === settings.method ? undefined : how);

/** Settings for a class never start a new detection run: results that cannot be edited stay unchanged. */
export const withOverride = (picture: MediaItem, wish: ClassOverride): MediaItem => {
  if (!picture.settings) return picture;
  const settings = settingsWith(picture.settings, wish);
  // A file that is being processed gets the settings when it is done.
  const isInTime = picture.status === 'processing' && wish.how !== 'visible';
  return isInTime || isEditable(picture, settings) ? { ...picture, settings } : picture;
};

/** The method for each hidden object of the image, by object number, with these settings. */
const hidden = ({ result, edits }: MediaItem, settings: Settings): ReadonlyMap<number, Method> => {
  const objects = listObjects(result?.editable?.found ?? [], settings, edits.present);
  return new Map(
    objects
      .filter(({ origin, isHidden }) => origin !== 'kept' && origin !== 'always' && isHidden)
      .map((object) => [object.id, specialMethod(object, settings) ?? settings.method]),
  );
};

/** Number of objects that other settings would hide differently, hide newly, or make visible. */
const countChanged = (picture: MediaItem, settings: Settings): number => {
  if (!picture.settings) return 0;
  const [before, after] = [hidden(picture, picture.settings), hidden(picture, settings)];
  const ids = new Set([...before.keys(), ...after.keys()]);
  return [...ids].filter((id) => before.get(id) !== after.get(id)).length;
};

/** The effect of other settings. */
export interface Changes {
  readonly objects: number;
  readonly pictures: number;
}

/** @param wanted settings and edits for each image; images that cannot be edited are not counted */
const changesBy = (pictures: readonly MediaItem[], wanted: (settings: Settings) => Settings): Changes => {
  const counts = pictures.flatMap((picture) => {
    const settings = picture.settings && wanted(picture.settings);
    return settings && isEditable(picture, settings) ? [countChanged(picture, settings)] : [];
  });
  return {
    objects: counts.reduce((sum, count) => sum + count, 0),
    pictures: counts.filter((count) => count > 0).length,
  };
};

export const changesByOverride = (pictures: readonly MediaItem[], wish: ClassOverride): Changes =>
  changesBy(pictures, (settings) => settingsWith(settings, wish));

export const changesBySettings = (pictures: readonly MediaItem[], settings: Settings): Changes =>
  changesBy(pictures, () => settings);

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
