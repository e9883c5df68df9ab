import type { ReviewMessages } from './en-review';
import { format } from './de-format';

export const germanReview: ReviewMessages = {
  edit: 'Bearbeiten',
  editTitle: 'Ändern, was verborgen wird (E)',
  bar: 'Bearbeiten',
  tools: {
    select: {
      name: 'Auswählen',
      title: 'Auswählen (V)',
      hint: 'Wählen Sie ein Objekt, um es zu ändern.',
    },
    box: {
      name: 'Rechteck verbergen',
      title: 'Rechteck verbergen (R)',
      hint: 'Ziehen Sie über das, was verborgen werden soll; Enter setzt eines.',
    },
    ellipse: {
      name: 'Ellipse verbergen',
      title: 'Ellipse verbergen (C)',
      hint: 'Ziehen Sie über das, was verborgen werden soll; Enter setzt eine.',
    },
    brush: {
      name: 'Mit dem Pinsel verbergen',
      title: 'Mit dem Pinsel verbergen (P)',
      hint: 'Malen Sie über das, was verborgen werden soll; Enter setzt einen Punkt.',
    },
    keep: {
      name: 'Bereich frei lassen',
      title: 'Bereich frei lassen (K)',
      hint: 'Ziehen Sie über das, was frei bleiben soll; Enter setzt einen Bereich.',
    },
  },
  undo: 'Rückgängig',
  undoTitle: 'Rückgängig (Strg+Z)',
  redo: 'Wiederholen',
  redoTitle: 'Wiederholen (Strg+Umschalt+Z)',
  drawnClass: 'Was es ist',
  brushSize: 'Größe des Pinsels',
  hidden: 'Verborgen',
  objectClass: 'Was es ist',
  objectMethod: 'Wie es verborgen wird',
  sameMethod: 'Wie die anderen',
  delete: 'Löschen',
  deleteTitle: 'Löschen (Entf)',
  keptArea: 'Frei gelassen',
  drawnObject: (name) => `${name}, gezeichnet`,
  switchedOff: (label) => `${label}, nicht verborgen`,
  copy: (count) => `Bereiche in ${format.many(count, 'Bild', 'Bilder')} übernehmen`,
  copyTitle: 'Dieselben Bereiche in allen Bildern dieser Größe zeichnen',
  changing: 'Wird geändert …',
  forAll: {
    button: 'Für alle …',
    buttonTitle: 'Alle Objekte dieser Art gleich verbergen, in allen Bildern',
    title: (kind) => `${kind} in allen Bildern`,
    visible: 'Sichtbar lassen',
    changes: (objects, pictures) =>
      objects === 0
        ? 'ändert nichts'
        : `ändert ${format.many(objects, 'Objekt', 'Objekte')} in ${format.many(pictures, 'Bild', 'Bildern')}`,
    searched: (count) => `${format.many(count, 'Datei wird', 'Dateien werden')} neu durchsucht`,
    others:
      'Videos und Bilder, die ein Server bearbeitet hat, bleiben, wie sie sind. Was später hinzukommt, wird ebenso verborgen.',
    apply: (pictures) => `${format.many(pictures, 'Bild', 'Bilder')} ändern`,
    done: (pictures) => `In ${format.many(pictures, 'Bild', 'Bildern')} geändert.`,
    undo: 'Für alle rückgängig',
  },
  said: {
    switched: (name, isOff) => `${name}: ${isOff ? 'nicht verborgen' : 'verborgen'}`,
    changed: (name) => `${name}: geändert`,
    deleted: (name) => `${name}: gelöscht`,
    drawn: 'Bereich verborgen',
    kept: 'Bereich frei gelassen',
    copied: 'Bereiche übernommen',
    undone: 'Rückgängig gemacht',
    redone: 'Wiederholt',
  },
};
