import { format } from './de-format';
import type { UncertainMessages } from './en-uncertain';

export const germanUncertain: UncertainMessages = {
  title: 'Unsichere Objekte',
  position: (at, count) => `${format.number(at)} von ${format.number(count)}`,
  empty: 'In den fertigen Dateien gibt es keine unsicheren Objekte.',
  doubts: {
    'below-threshold': 'Die Konfidenz liegt knapp unter dem Minimum. Das Objekt ist nicht verborgen.',
    'above-threshold': 'Die Konfidenz liegt knapp über dem Minimum. Das Objekt ist verborgen.',
    'weak-track': 'Die Konfidenz dieses Objekts ist im ganzen Video niedrig. Es ist verborgen.',
    'abrupt-start': 'Ab dem nächsten Bild wird ein Objekt erkannt. In diesem Bild kann es fehlen.',
    'abrupt-end': 'Bis zum Bild davor wurde ein Objekt erkannt. In diesem Bild kann es fehlen.',
    gap: 'Die Bilder davor und danach enthalten dieses Objekt. In diesem Bild kann es fehlen.',
    fewer: 'Die Bilder davor und danach enthalten mehr Objekte. In diesem Bild kann eines fehlen.',
  },
  at: (seconds) => `bei ${format.number(Math.round(seconds * 100) / 100)} s`,
  score: (score) => format.percent(score),
  labels: { kind: 'Objekt', score: 'Konfidenz', file: 'Datei', state: 'Entscheidung' },
  decisions: { none: 'nicht entschieden', hide: 'verborgen', show: 'nicht verborgen' },
  actions: {
    back: ['Zurück', '← oder U'],
    show: ['Kein Objekt, zeigen', 'S'],
    hide: ['Verbergen', 'H oder Enter'],
    skip: ['Überspringen', 'Leer oder →'],
  },
  keysHint: 'Die Tasten wirken, solange das Bild den Fokus hat.',
  picture: (kind, file) => `Original mit dem Umriss des Objekts: ${kind}, ${file}`,
  neighbours: 'Bilder davor und danach',
  notShown: 'Der Browser kann diese Datei nicht anzeigen. Das Objekt lässt sich trotzdem entscheiden.',
  end: (decided) =>
    `Ende der Liste. ${format.many(decided, 'Objekt', 'Objekte')} entschieden. Die Änderungen werden angewendet, wenn Sie die Liste schließen.`,
  failed: (count) =>
    `Die Änderungen von ${format.many(count, 'Datei', 'Dateien')} konnten nicht angewendet werden. Keine Entscheidung geht verloren.`,
  unrecorded: (count) =>
    `Die Entscheidungen über ${format.many(count, 'Datei', 'Dateien')} sind noch nicht im Bericht. Keine Entscheidung geht verloren.`,
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
