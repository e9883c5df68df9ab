import { listObjects, specialMethod } from '#shared/domain/edits/list-objects';
import type { ObjectClass } from '#shared/domain/object-class';
import type { HidingMethod, Method } from '#shared/domain/options';
import type { MediaItem } from './media-item';
import { isRevisable, editRequestOf } from './wanted-edits';
import { setClassMethod, type Settings } from './settings';

/** How a person wants all objects of a class, in all pictures. */
export interface ClassWish {
  readonly objectClass: ObjectClass;
  readonly how: HidingMethod | 'visible';
}

export const settingsWith = (settings: Settings, { objectClass, how }: ClassWish): Settings =>
  how === 'visible'
    ? { ...settings, classes: settings.classes.filter((name) => name !== objectClass) }
    : setClassMethod(settings, objectClass, how === settings.method ? undefined : how);

/** Nothing that is wanted for a class has a picture searched anew: what cannot be changed at once stays as it is. */
export const withWish = (picture: MediaItem, wish: ClassWish): MediaItem => {
  if (!picture.settings) return picture;
  const settings = settingsWith(picture.settings, wish);
  // What is in work is hidden so when it is done.
  const isInTime = picture.status === 'processing' && wish.how !== 'visible';
  return isInTime || isRevisable(picture, settings) ? { ...picture, settings } : picture;
};

/** How each object of the picture is hidden with these settings, by its number; those that are seen are not there. */
const hidden = ({ result, edits }: MediaItem, settings: Settings): ReadonlyMap<number, Method> => {
  const revision = editRequestOf({ settings, edits: edits.present });
  const objects = listObjects(result?.revisable?.found ?? [], revision);
  return new Map(
    objects
      .filter(({ origin, isOff }) => origin !== 'kept' && !isOff)
      .map((object) => [object.id, specialMethod(object, revision) ?? settings.method]),
  );
};

/** How many objects would be hidden otherwise, or be seen, or be hidden at all, with other settings. */
const countChanged = (picture: MediaItem, settings: Settings): number => {
  if (!picture.settings) return 0;
  const [before, after] = [hidden(picture, picture.settings), hidden(picture, settings)];
  const ids = new Set([...before.keys(), ...after.keys()]);
  return [...ids].filter((id) => before.get(id) !== after.get(id)).length;
};

/** What other settings would change. */
export interface Changes {
  readonly objects: number;
  readonly pictures: number;
}

/** @param wanted what each picture would be like; of those that cannot be changed at once nothing is known */
const changesBy = (pictures: readonly MediaItem[], wanted: (settings: Settings) => Settings): Changes => {
  const counts = pictures.flatMap((picture) => {
    const settings = picture.settings && wanted(picture.settings);
    return settings && isRevisable(picture, settings) ? [countChanged(picture, settings)] : [];
  });
  return {
    objects: counts.reduce((sum, count) => sum + count, 0),
    pictures: counts.filter((count) => count > 0).length,
  };
};

export const changesByWish = (pictures: readonly MediaItem[], wish: ClassWish): Changes =>
  changesBy(pictures, (settings) => settingsWith(settings, wish));

export const changesBySettings = (pictures: readonly MediaItem[], settings: Settings): Changes =>
  changesBy(pictures, () => settings);
