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
export const withOverride = (item: MediaItem, wish: ClassOverride): MediaItem => {
  if (!item.settings) return item;
  const settings = settingsWith(item.settings, wish);
  // A file that is being processed gets the settings when it is done.
  const isInTime = item.status === 'processing' && wish.how !== 'visible';
  return isInTime || isEditable(item, settings) ? { ...item, settings } : item;
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
const countChanged = (item: MediaItem, settings: Settings): number => {
  if (!item.settings) return 0;
  const [before, after] = [hidden(item, item.settings), hidden(item, settings)];
  const ids = new Set([...before.keys(), ...after.keys()]);
  return [...ids].filter((id) => before.get(id) !== after.get(id)).length;
};

/** The effect of other settings. */
export interface Changes {
  readonly objects: number;
  readonly images: number;
}

/** @param wanted settings and edits for each image; images that cannot be edited are not counted */
const changesBy = (items: readonly MediaItem[], wanted: (settings: Settings) => Settings): Changes => {
  const counts = items.flatMap((item) => {
    const settings = item.settings && wanted(item.settings);
    return settings && isEditable(item, settings) ? [countChanged(item, settings)] : [];
  });
  return {
    objects: counts.reduce((sum, count) => sum + count, 0),
    images: counts.filter((count) => count > 0).length,
  };
};

export const changesByOverride = (items: readonly MediaItem[], wish: ClassOverride): Changes =>
  changesBy(items, (settings) => settingsWith(settings, wish));

export const changesBySettings = (items: readonly MediaItem[], settings: Settings): Changes =>
  changesBy(items, () => settings);

/** The parts of an item that a user decides. */
type Appearance = Pick<MediaItem, 'settings' | 'edits'>;

/** One change of many images, which can be undone at once. */
export interface BulkChange {
  readonly settings: { readonly before: Settings; readonly after: Settings };
  readonly images: readonly {
    readonly id: string;
    readonly before: Appearance;
    readonly after: Appearance;
  }[];
  /** Whether nothing was edited since the change. */
  readonly isLatest: boolean;
}

const appearanceOf = ({ settings, edits }: MediaItem): Appearance => ({ settings, edits });

interface Undoable {
  readonly items: readonly MediaItem[];
  readonly settings: Settings;
  readonly doneForAll: BulkChange | null;
}

/** Stores the differences. Files that are processed again are skipped, because their old results are gone. */
export const recordBulkChange = <State extends Undoable>(before: State, after: State): State => {
  const old = new Map(before.items.map((item) => [item.id, item]));
  const images = after.items.flatMap((item) => {
    const was = old.get(item.id);
    const isSame = was?.settings === item.settings && was.edits === item.edits;
    return was && !isSame && item.status === 'done'
      ? [{ id: item.id, before: appearanceOf(was), after: appearanceOf(item) }]
      : [];
  });
  if (images.length === 0) return { ...after, doneForAll: null };
  const settings = { before: before.settings, after: after.settings };
  return { ...after, doneForAll: { settings, images, isLatest: true } };
};

/** Restores the state before the change; later changes of other kinds stay. */
export const undoBulkChange = <State extends Undoable>(state: State): State => {
  const { doneForAll: done } = state;
  if (!done) return state;
  const appearances = new Map(done.images.map(({ id, ...appearance }) => [id, appearance]));
  const undone = (item: MediaItem): MediaItem => {
    const appearance = appearances.get(item.id);
    if (!appearance) return item;
    return {
      ...item,
      ...(item.settings === appearance.after.settings && { settings: appearance.before.settings }),
      ...(item.edits === appearance.after.edits && { edits: appearance.before.edits }),
    };
  };
  return {
    ...state,
    items: state.items.map(undone),
    settings: state.settings === done.settings.after ? done.settings.before : state.settings,
    doneForAll: null,
  };
};
