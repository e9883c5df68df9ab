import type { ReviewMessages } from './en-review';
import { format } from './de-format';

/** Texts of the image editor, in German. */
export const germanReview: ReviewMessages = {
  edit: 'Bearbeiten',
  editTitle: 'Ändern, was verborgen wird (E)',
  bar: 'Bearbeiten',
  tool: 'Werkzeug',
  tools: {
    select: {
      name: 'Auswählen',
      title: 'Auswählen (V)',
      hint: 'Wählen Sie ein Objekt aus, um es zu ändern.',
    },
    box: {
      name: 'Rechteck verbergen',
      title: 'Rechteck verbergen (R)',
      hint: 'Ziehen Sie über den Bereich, der verborgen werden soll. Die Eingabetaste setzt ein Rechteck.',
    },
    ellipse: {
      name: 'Ellipse verbergen',
      title: 'Ellipse verbergen (C)',
      hint: 'Ziehen Sie über den Bereich, der verborgen werden soll. Die Eingabetaste setzt eine Ellipse.',
    },
    brush: {
      name: 'Mit dem Pinsel verbergen',
      title: 'Mit dem Pinsel verbergen (P)',
      hint: 'Malen Sie über den Bereich, der verborgen werden soll. Die Eingabetaste setzt einen Punkt.',
    },
    keep: {
      name: 'Bereich sichtbar lassen',
      title: 'Bereich sichtbar lassen (K)',
      hint: 'Ziehen Sie über den Bereich, der sichtbar bleiben soll. Die Eingabetaste setzt ein Rechteck.',
    },
  },
  undo: 'Rückgängig',
  undoTitle: 'Rückgängig (Strg+Z)',
  redo: 'Wiederholen',
  redoTitle: 'Wiederholen (Strg+Umschalt+Z)',
  drawnClass: 'Objektart',
  brushSize: 'Pinselgröße',
  hidden: 'Verborgen',
  objectClass: 'Objektart',
  objectMethod: 'Methode',
  sameMethod: 'Wie eingestellt',
  delete: 'Löschen',
  deleteTitle: 'Löschen (Entf)',
  keptArea: 'Sichtbarer Bereich',
  drawnObject: (name) => `${name}, gezeichnet`,
  switchedOff: (label) => `${label}, nicht verborgen`,
  copy: (count) => `Bereiche in ${format.many(count, 'Bild', 'Bilder')} kopieren`,
  copyTitle: 'Die gezeichneten Bereiche in alle Bilder derselben Größe kopieren',
  changing: 'Änderungen werden angewendet …',
  notApplied:
    'Die Änderungen konnten nicht angewendet werden. Sie bleiben erhalten: Versuchen Sie es erneut.',
  uncertain: {
    button: 'Unsicher',
    title: 'Über unsichere Objekte einzeln entscheiden (F2)',
    count: (count) => format.number(count),
  },
  forAll: {
    button: 'Für alle …',
    buttonTitle: 'Alle Objekte dieser Art in allen Bildern auf dieselbe Weise verbergen',
    title: (kind) => `${kind} in allen Bildern`,
    visible: 'Sichtbar lassen',
    changes: (objects, images) =>
      objects === 0
        ? 'keine Änderungen'
        : `ändert ${format.many(objects, 'Objekt', 'Objekte')} in ${format.many(images, 'Bild', 'Bildern')}`,
    reprocessed: (count) => `${format.many(count, 'Datei wird', 'Dateien werden')} erneut verarbeitet`,
    others:
      'Ändert keine Videos und keine Bilder eines Servers, der nicht mehr ausgewählt ist. Gilt auch für Bilder, die Sie später hinzufügen.',
    apply: (images) => `${format.many(images, 'Bild', 'Bilder')} ändern`,
    done: (images) => `In ${format.many(images, 'Bild', 'Bildern')} geändert.`,
    undo: 'Für alle rückgängig machen',
  },
  announcements: {
    switched: (name, isOff) => `${name}: ${isOff ? 'nicht verborgen' : 'verborgen'}`,
    changed: (name) => `${name}: geändert`,
    deleted: (name) => `${name}: gelöscht`,
    drawn: 'Bereich verborgen',
    kept: 'Bereich sichtbar gelassen',
    copied: 'Bereiche kopiert',
    undone: 'Rückgängig gemacht',
    redone: 'Wiederholt',
  },
};
