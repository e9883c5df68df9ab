import type { UncertaintyReason } from '../../state/uncertain/uncertain-object';
import { useLanguage, type Language } from '../messages';
import { format as de } from './de-format';
import { format as en } from './en-format';

/** Texts of the list of uncertain objects. They are loaded with the list. */
const english = {
  title: 'Uncertain objects',
  position: (at: number, count: number) => `${en.number(at)} of ${en.number(count)}`,
  empty: 'There are no uncertain objects in the finished files.',
  reasons: {
    'below-threshold': 'The score is just below the minimum confidence. The object is not hidden.',
    'above-threshold': 'The score is just above the minimum confidence. The object is hidden.',
    'weak-track': 'The scores of this object are low in the whole video. It is hidden.',
    'abrupt-start': 'An object is detected from the next frame on. It may be missed in this frame.',
    'abrupt-end': 'An object was detected up to the frame before. It may be missed in this frame.',
    gap: 'The frames before and after contain this object. It may be missed in this frame.',
    fewer: 'The frames before and after contain more objects. One may be missed in this frame.',
  } satisfies Record<UncertaintyReason, string>,
  at: (seconds: number) => `at ${en.number(Math.round(seconds * 100) / 100)} s`,
  score: (score: number) => en.percent(score),
  labels: { kind: 'Object', score: 'Score', file: 'File', state: 'Decision' },
  decisions: { none: 'not decided', hide: 'hidden', show: 'not hidden' },
  actions: {
    back: ['Back', '← or U'],
    show: ['Not an object, show', 'S'],
    hide: ['Hide', 'H or Enter'],
    skip: ['Skip', 'Space or →'],
  } as Readonly<Record<'back' | 'show' | 'hide' | 'skip', readonly [label: string, keys: string]>>,
  keysHint: 'The keys act while the image has the focus.',
  image: (kind: string, file: string) => `Original with the outline of the object: ${kind}, ${file}`,
  neighbours: 'Frames before and after',
  notShown: 'The browser cannot show this file. The object can be decided without it.',
  end: (decided: number) =>
    `End of the list. ${en.many(decided, 'object', 'objects')} decided. Edits are applied when you close the list.`,
  failed: (count: number) =>
    `The edits of ${en.many(count, 'file', 'files')} could not be applied. No decision is lost.`,
  unrecorded: (count: number) =>
    `The decisions about ${en.many(count, 'file', 'files')} are not in the report yet. No decision is lost.`,
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

const german: typeof english = {
  title: 'Unsichere Objekte',
  position: (at, count) => `${de.number(at)} von ${de.number(count)}`,
  empty: 'In den fertigen Dateien gibt es keine unsicheren Objekte.',
  reasons: {
    'below-threshold': 'Die Konfidenz liegt knapp unter dem Minimum. Das Objekt ist nicht verborgen.',
    'above-threshold': 'Die Konfidenz liegt knapp über dem Minimum. Das Objekt ist verborgen.',
    'weak-track': 'Die Konfidenz dieses Objekts ist im ganzen Video niedrig. Es ist verborgen.',
    'abrupt-start': 'Ab dem nächsten Bild wird ein Objekt erkannt. In diesem Bild kann es fehlen.',
    'abrupt-end': 'Bis zum Bild davor wurde ein Objekt erkannt. In diesem Bild kann es fehlen.',
    gap: 'Die Bilder davor und danach enthalten dieses Objekt. In diesem Bild kann es fehlen.',
    fewer: 'Die Bilder davor und danach enthalten mehr Objekte. In diesem Bild kann eines fehlen.',
  },
  at: (seconds) => `bei ${de.number(Math.round(seconds * 100) / 100)} s`,
  score: (score) => de.percent(score),
  labels: { kind: 'Objekt', score: 'Konfidenz', file: 'Datei', state: 'Entscheidung' },
  decisions: { none: 'nicht entschieden', hide: 'verborgen', show: 'nicht verborgen' },
  actions: {
    back: ['Zurück', '← oder U'],
    show: ['Kein Objekt, zeigen', 'S'],
    hide: ['Verbergen', 'H oder Enter'],
    skip: ['Überspringen', 'Leer oder →'],
  },
  keysHint: 'Die Tasten wirken, solange das Bild den Fokus hat.',
  image: (kind, file) => `Original mit dem Umriss des Objekts: ${kind}, ${file}`,
  neighbours: 'Bilder davor und danach',
  notShown: 'Der Browser kann diese Datei nicht anzeigen. Das Objekt lässt sich trotzdem entscheiden.',
  end: (decided) =>
    `Ende der Liste. ${de.many(decided, 'Objekt', 'Objekte')} entschieden. Die Änderungen werden angewendet, wenn Sie die Liste schließen.`,
  failed: (count) =>
    `Die Änderungen von ${de.many(count, 'Datei', 'Dateien')} konnten nicht angewendet werden. Keine Entscheidung geht verloren.`,
  unrecorded: (count) =>
    `Die Entscheidungen über ${de.many(count, 'Datei', 'Dateien')} sind noch nicht im Bericht. Keine Entscheidung geht verloren.`,
  retry: 'Erneut versuchen',
  reviewer: {
    label: 'Name der prüfenden Person',
    hint: 'Optional. Berichte nennen die prüfende Person und die Zeit jeder Änderung. Der Name wird in diesem Browser gespeichert.',
    start: 'Beginnen',
    current: (name) => `Geprüft von: ${name}`,
    none: 'Keine prüfende Person genannt',
    change: 'Ändern',
  },
};

/** Not in the catalogues, whose English one is loaded with every page. */
const TEXTS: Readonly<Record<Language, typeof english>> = { en: english, de: german };

export const useUncertainTexts = (): typeof english => TEXTS[useLanguage().language];
