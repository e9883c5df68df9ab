import type { Doubt } from '../../state/uncertain/uncertain-object';
import { format } from './en-format';

/** Texts of the list of uncertain objects. They are loaded with the list. */
export const englishUncertain = {
  title: 'Uncertain objects',
  position: (at: number, count: number) => `${format.number(at)} of ${format.number(count)}`,
  empty: 'There are no uncertain objects in the finished files.',
  doubts: {
    'below-threshold': 'The score is just below the minimum confidence. The object is not hidden.',
    'above-threshold': 'The score is just above the minimum confidence. The object is hidden.',
    'weak-track': 'The scores of this object are low in the whole video. It is hidden.',
    'abrupt-start': 'An object is detected from the next frame on. It may be missed in this frame.',
    'abrupt-end': 'An object was detected up to the frame before. It may be missed in this frame.',
    gap: 'The frames before and after contain this object. It may be missed in this frame.',
    fewer: 'The frames before and after contain more objects. One may be missed in this frame.',
  } satisfies Record<Doubt, string>,
  at: (seconds: number) => `at ${format.number(Math.round(seconds * 100) / 100)} s`,
  score: (score: number) => format.percent(score),
  labels: { kind: 'Object', score: 'Score', file: 'File', state: 'Decision' },
  decisions: { none: 'not decided', hide: 'hidden', show: 'not hidden' },
  actions: {
    back: ['Back', '← or U'],
    show: ['Not an object, show', 'S'],
    hide: ['Hide', 'H or Enter'],
    skip: ['Skip', 'Space or →'],
  } as Readonly<Record<'back' | 'show' | 'hide' | 'skip', readonly [label: string, keys: string]>>,
  keysHint: 'The keys act while the image has the focus.',
  picture: (kind: string, file: string) => `Original with the outline of the object: ${kind}, ${file}`,
  neighbours: 'Frames before and after',
  notShown: 'The browser cannot show this file. The object can be decided without it.',
  end: (decided: number) =>
    `End of the list. ${format.many(decided, 'object', 'objects')} decided. Edits are applied when you close the list.`,
  failed: (count: number) =>
    `The edits of ${format.many(count, 'file', 'files')} could not be applied. No decision is lost.`,
  unrecorded: (count: number) =>
    `The decisions about ${format.many(count, 'file', 'files')} are not in the report yet. No decision is lost.`,
  retry: 'Try again',
  reviewer: {
    label: 'Name of the reviewer',
    hint: 'Optional. Reports name the reviewer and the time of each edit. The name is stored in this browser.',
    start: 'Start',
    current: (name: string) => `Reviewer: ${name}`,
    none: 'No reviewer named',
    change: 'Change',
  },
};

export type UncertainMessages = typeof englishUncertain;
