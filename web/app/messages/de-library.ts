import type { LibraryMessages } from './en-library';
import { format } from './de-format';

/** What the page says of the pictures that it has, in German. */
export const germanLibrary: LibraryMessages = {
  keeping: {
    title: 'Ihre Bilder',
    keep: 'Nach dem Schließen behalten',
    explained: {
      visit:
        'Bilder und Ergebnisse liegen im eigenen Speicher dieses Browsers auf diesem Gerät, damit beim Neuladen nichts verloren geht. Wird dieser Tab geschlossen, werden sie entfernt.',
      kept: 'Bilder und Ergebnisse bleiben im eigenen Speicher dieses Browsers auf diesem Gerät, bis Sie sie entfernen. Wer diesen Browser benutzt, kann sie öffnen.',
      elsewhere:
        'Ein anderer Tab behält schon andere Bilder: Öffnen Sie diese Seite in einem neuen Tab, wenn jener geschlossen ist. Die Bilder hier überstehen ein Neuladen und werden entfernt, wenn dieser Tab geschlossen wird.',
      memory:
        'Dieser Browser gibt der Seite keinen Speicher: Bilder und Ergebnisse sind weg, wenn sie geschlossen oder neu geladen wird.',
    },
    clear: 'Alle Bilder entfernen',
    count: (count) => `Hier offen: ${format.many(count, 'Datei', 'Dateien')}.`,
    unstored: (count) =>
      `${format.many(count, 'Datei ist', 'Dateien sind')} zu groß zum Behalten: beim Neuladen weg`,
    lost: (names) =>
      `Zum Behalten fehlte der Platz: ${format.list(names.length > 3 ? [...names.slice(0, 3), `${names.length - 3} weitere`] : names)}. Bitte noch einmal hinzufügen.`,
    lostRead: 'OK',
    shortly: {
      visit: 'Was Sie hinzufügen, bleibt auf diesem Gerät und wird entfernt, wenn Sie diesen Tab schließen.',
      kept: 'Was Sie hinzufügen, bleibt auf diesem Gerät, bis Sie es entfernen; so haben Sie es gewählt.',
      elsewhere:
        'Was Sie hinzufügen, bleibt auf diesem Gerät und wird entfernt, wenn Sie diesen Tab schließen.',
      memory: 'Was Sie hinzufügen, bleibt auf diesem Gerät und ist weg, wenn Sie diesen Tab schließen.',
    },
  },

  views: {
    grid: 'Raster',
    gridTitle: 'Alle Bilder auf einmal',
    one: 'Einzelbild',
    oneTitle: 'Ein Bild nach dem anderen',
  },

  grid: {
    list: 'Bilder, mehrere können ausgewählt werden',
    actions: 'Was mit den ausgewählten Bildern geschieht',
    noneChosen: 'Keine ausgewählt',
    chosen: (count) => `${format.number(count)} ausgewählt`,
    chooseAll: 'Alle auswählen',
    chooseNone: 'Keine auswählen',
    again: 'Neu verarbeiten',
    remove: 'Entfernen',
    exportAll: 'Alle exportieren …',
    exportChosen: (count) => `${format.number(count)} exportieren …`,
    exportTitle: (count) => `${format.many(count, 'Datei', 'Dateien')} exportieren`,
    exportHint: 'Ordner, die Sie hierher gezogen haben, bleiben im Archiv erhalten.',
    exportNow: (count) => `${format.number(count)} exportieren`,
    besides: 'Was außerdem exportiert wird',
    besidesNames: {
      masks: 'Masken: Schwarz-Weiß-Bilder des Verdeckten und der einzelnen Objekte (PNG)',
      metadata: 'Was gefunden wurde, und wo (JSON)',
    },
    notReady: (count) =>
      `Bei ${format.many(count, 'Datei', 'Dateien')} gibt es (noch) nichts zu exportieren: nicht dabei.`,
    framesLost: (count) => `${format.many(count, 'Einzelbild war', 'Einzelbilder waren')} nicht lesbar`,
    sparedMemory: 'Der Speicher war knapp: stückweise durchsucht',
    audioDropped: 'Ein Teil des Tons ging verloren',
    unstored: 'Zu groß zum Behalten: beim Neuladen weg',
    stale: 'Mit anderen Einstellungen gemacht',
  },
};
