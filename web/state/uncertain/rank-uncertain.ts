import type { MediaItem } from '../media-item';
import { imageDoubts, trackDoubts } from './track-doubts';
import type { UncertainObject } from './uncertain-object';

/** Of files that did not change: one decision changes one of hundreds. */
const known = new WeakMap<MediaItem, readonly UncertainObject[]>();

const doubtsOf = (picture: MediaItem): readonly UncertainObject[] => {
  const before = known.get(picture);
  if (before) return before;
  const { status, result, decided = [] } = picture;
  const isEditable = status === 'done' && result?.hasPicture === true;
  const all = isEditable ? [...imageDoubts(picture), ...trackDoubts(picture)] : [];
  const open = all.filter(({ key }) => !decided.includes(key));
  known.set(picture, open);
  return open;
};

/**
 * Lists what a person should check in all finished files, the least certain first.
 *
 * Equally uncertain objects keep the order of their files. Decided ones are left out.
 */
export const rankUncertain = (pictures: readonly MediaItem[]): readonly UncertainObject[] =>
  pictures.flatMap(doubtsOf).sort((a, b) => b.uncertainty - a.uncertainty);

/** How many objects the list has. */
export const countUncertain = (pictures: readonly MediaItem[]): number =>
  pictures.reduce((sum, picture) => sum + doubtsOf(picture).length, 0);
