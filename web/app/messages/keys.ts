import { useLanguage, type Language } from '../messages';

interface KeyMessages {
  readonly title: string;
  readonly guide: string;
  readonly guideFile: `./help${string}.html`;
  readonly groups: readonly {
    readonly title: string;
    readonly keys: readonly (readonly [names: readonly string[], action: string])[];
  }[];
  readonly hasKey: string;
}

/** Texts of the help: the guide, and the list of keyboard shortcuts. They are loaded with the dialog. */
const english: KeyMessages = {
  title: 'Help',
  guide: 'Guide of the page',
  guideFile: './help.html',
  groups: [
    {
      title: 'Everywhere',
      keys: [
        [['Tab'], 'Go to the next control'],
        [['←', '→'], 'Go to the previous or next file'],
        [['F2'], 'Decide about uncertain objects one by one'],
        [['?'], 'Show this list'],
        [['Ctrl + Z'], 'In a video: undo'],
        [['Ctrl + Shift + Z', 'Ctrl + Y'], 'In a video: redo'],
      ],
    },
    {
      title: 'When the image has the focus',
      keys: [
        [['E'], 'Start or end editing'],
        [['B'], 'Show or hide the boxes of detected objects'],
        [['O', 'Space'], 'Hold to see the original'],
        [['+', '−'], 'Zoom in or out'],
        [['0'], 'Fit to screen'],
      ],
    },
    {
      title: 'While you edit an image',
      keys: [
        [['Tab'], 'Go to the next object'],
        [['Enter', 'Space'], 'Hide or show the object'],
        [['←', '→', '↑', '↓'], 'Move the object'],
        [['Shift + arrows'], 'Resize the object'],
        [['Del', 'Backspace'], 'Delete the object'],
        [['1 – 9'], 'Give the object a reason'],
        [['V'], 'Select'],
        [['R', 'C', 'P'], 'Hide with a rectangle, an ellipse or the brush'],
        [['A'], 'Always hide an area'],
        [['K'], 'Keep an area visible'],
        [['Enter'], 'Place the shape in the centre'],
        [['Space + drag'], 'Move the image'],
        [['Ctrl + Z'], 'Undo'],
        [['Ctrl + Shift + Z', 'Ctrl + Y'], 'Redo'],
        [['Esc'], 'Return to the select tool, then clear the selection'],
      ],
    },
    {
      title: 'When the grid has the focus',
      keys: [
        [['←', '→', '↑', '↓'], 'Select another file; with Shift, extend the selection'],
        [['Space'], 'Add a file to the selection, or remove it'],
        [['Ctrl + A', 'Esc'], 'Select all or none'],
        [['Enter'], 'Open the file'],
        [['Del'], 'Remove the selected files'],
      ],
    },
    {
      title: 'When the divider has the focus',
      keys: [
        [['←', '→', '↑', '↓'], 'Move the divider'],
        [['Home', 'End'], 'Show only the result or only the original'],
      ],
    },
    {
      title: 'When a video or its sound has the focus',
      keys: [
        [['Space'], 'Play or pause'],
        [['M'], 'Start or end a muted part'],
        [['+', '−'], 'Zoom the sound in or out'],
        [['←', '→', '↑', '↓'], 'Move a muted part or its border; with Shift, farther'],
        [['Del', 'Backspace'], 'Remove a muted part'],
        [['←', '→', '↑', '↓'], 'Move the drawn box; with Shift, resize it'],
        [['Enter', 'Esc'], 'Track the drawn box, or discard it'],
        [['1 – 9'], 'In the list of objects: give the object a reason'],
      ],
    },
    {
      title: 'In the list of uncertain objects',
      keys: [
        [['H', 'Enter'], 'Hide the object'],
        [['S'], 'Show it'],
        [['Space', '→'], 'Skip it'],
        [['U', '←'], 'Go back'],
      ],
    },
    {
      title: 'When a panorama has the focus',
      keys: [
        [['←', '→', '↑', '↓'], 'Look around'],
        [['+', '−'], 'Zoom in or out'],
        [['0'], 'Look straight ahead'],
      ],
    },
  ],
  hasKey: 'Open this list with the question mark key',
};

const german: KeyMessages = {
  title: 'Hilfe',
  guide: 'Anleitung der Seite',
  guideFile: './help.de.html',
  groups: [
    {
      title: 'Überall',
      keys: [
        [['Tab'], 'Zum nächsten Bedienelement'],
        [['←', '→'], 'Zur vorherigen oder nächsten Datei'],
        [['F2'], 'Über unsichere Objekte einzeln entscheiden'],
        [['?'], 'Diese Liste anzeigen'],
        [['Strg + Z'], 'In einem Video: rückgängig machen'],
        [['Strg + Umschalt + Z', 'Strg + Y'], 'In einem Video: wiederholen'],
      ],
    },
    {
      title: 'Wenn das Bild den Fokus hat',
      keys: [
        [['E'], 'Bearbeiten beginnen oder beenden'],
        [['B'], 'Rahmen erkannter Objekte ein- oder ausblenden'],
        [['O', 'Leertaste'], 'Gedrückt halten, um das Original zu sehen'],
        [['+', '−'], 'Vergrößern oder verkleinern'],
        [['0'], 'Ganzes Bild anzeigen'],
      ],
    },
    {
      title: 'Während Sie ein Bild bearbeiten',
      keys: [
        [['Tab'], 'Zum nächsten Objekt'],
        [['Eingabe', 'Leertaste'], 'Das Objekt verbergen oder sichtbar lassen'],
        [['←', '→', '↑', '↓'], 'Das Objekt verschieben'],
        [['Umschalt + Pfeile'], 'Die Größe des Objekts ändern'],
        [['Entf', 'Rücktaste'], 'Das Objekt löschen'],
        [['1 – 9'], 'Dem Objekt einen Grund geben'],
        [['V'], 'Auswählen'],
        [['R', 'C', 'P'], 'Mit Rechteck, Ellipse oder Pinsel verbergen'],
        [['A'], 'Einen Bereich immer verbergen'],
        [['K'], 'Einen Bereich sichtbar lassen'],
        [['Eingabe'], 'Die Form in die Mitte setzen'],
        [['Leertaste + Ziehen'], 'Das Bild verschieben'],
        [['Strg + Z'], 'Rückgängig'],
        [['Strg + Umschalt + Z', 'Strg + Y'], 'Wiederholen'],
        [['Esc'], 'Zurück zum Auswählen, dann die Auswahl aufheben'],
      ],
    },
    {
      title: 'Wenn das Raster den Fokus hat',
      keys: [
        [['←', '→', '↑', '↓'], 'Eine andere Datei auswählen; mit Umschalt die Auswahl erweitern'],
        [['Leertaste'], 'Eine Datei zur Auswahl hinzufügen oder daraus entfernen'],
        [['Strg + A', 'Esc'], 'Alle oder keine auswählen'],
        [['Eingabe'], 'Die Datei öffnen'],
        [['Entf'], 'Ausgewählte Dateien entfernen'],
      ],
    },
    {
      title: 'Wenn die Trennlinie den Fokus hat',
      keys: [
        [['←', '→', '↑', '↓'], 'Die Trennlinie verschieben'],
        [['Pos1', 'Ende'], 'Nur das Ergebnis oder nur das Original anzeigen'],
      ],
    },
    {
      title: 'Wenn ein Video oder sein Ton den Fokus hat',
      keys: [
        [['Leertaste'], 'Abspielen oder anhalten'],
        [['M'], 'Einen stummen Abschnitt beginnen oder beenden'],
        [['+', '−'], 'Den Ton vergrößern oder verkleinern'],
        [['←', '→', '↑', '↓'], 'Einen stummen Abschnitt oder seine Grenze verschieben; mit Umschalt weiter'],
        [['Entf', 'Rücktaste'], 'Einen stummen Abschnitt entfernen'],
        [['←', '→', '↑', '↓'], 'Den gezeichneten Rahmen verschieben; mit Umschalt seine Größe ändern'],
        [['Eingabe', 'Esc'], 'Den gezeichneten Rahmen verfolgen oder verwerfen'],
        [['1 – 9'], 'In der Liste der Objekte: dem Objekt einen Grund geben'],
      ],
    },
    {
      title: 'In der Liste unsicherer Objekte',
      keys: [
        [['H', 'Eingabe'], 'Das Objekt verbergen'],
        [['S'], 'Es sichtbar lassen'],
        [['Leertaste', '→'], 'Überspringen'],
        [['U', '←'], 'Zurück'],
      ],
    },
    {
      title: 'Wenn ein Panorama den Fokus hat',
      keys: [
        [['←', '→', '↑', '↓'], 'Sich umsehen'],
        [['+', '−'], 'Vergrößern oder verkleinern'],
        [['0'], 'Geradeaus sehen'],
      ],
    },
  ],
  hasKey: 'Diese Liste mit der Fragezeichen-Taste öffnen',
};

export const KEY_MESSAGES: Readonly<Record<Language, KeyMessages>> = { en: english, de: german };

export const useKeyMessages = (): KeyMessages => KEY_MESSAGES[useLanguage().language];
