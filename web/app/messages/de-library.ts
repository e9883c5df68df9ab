import type { LibraryMessages } from './en-library';
import { format } from './de-format';

/** Texts about the open files, in German. */
export const germanLibrary: LibraryMessages = {
  storage: {
    title: 'Ihre Dateien',
    keep: 'Nach dem Schließen behalten',
    explanations: {
      visit:
        'Dateien und Ergebnisse werden in diesem Browser auf diesem Gerät gespeichert, damit beim Neuladen nichts verloren geht. Sie werden entfernt, wenn Sie diesen Tab schließen.',
      kept: 'Dateien und Ergebnisse bleiben in diesem Browser auf diesem Gerät, bis Sie sie entfernen. Jede Person, die diesen Browser verwendet, kann sie öffnen.',
      elsewhere:
        'Ein anderer Tab behält bereits seine Dateien. Um die Dateien dieses Tabs zu behalten, schließen Sie den anderen Tab und öffnen Sie diese Seite in einem neuen Tab. Die Dateien dieses Tabs bleiben beim Neuladen erhalten und werden entfernt, wenn Sie ihn schließen.',
      memory:
        'Dieser Browser stellt der Seite keinen Speicher bereit. Dateien und Ergebnisse gehen verloren, wenn Sie die Seite schließen oder neu laden.',
    },
    clear: 'Alle Dateien entfernen',
    count: (count) => `${format.many(count, 'Datei', 'Dateien')} geöffnet.`,
    unstored: (count) =>
      `${format.many(count, 'Datei ist', 'Dateien sind')} zu groß zum Speichern und ${count === 1 ? 'geht' : 'gehen'} beim Neuladen verloren`,
    notStored: (names) =>
      `Der Speicherplatz reichte nicht für ${format.list(names.length > 3 ? [...names.slice(0, 3), `${names.length - 3} weitere`] : names)}. Bitte fügen Sie ${names.length > 1 ? 'die Dateien' : 'die Datei'} erneut hinzu.`,
    dismiss: 'OK',
    summaries: {
      visit: 'Ihre Dateien bleiben auf diesem Gerät und werden entfernt, wenn Sie diesen Tab schließen.',
      kept: 'Ihre Dateien bleiben auf diesem Gerät, bis Sie sie entfernen.',
      elsewhere: 'Ihre Dateien bleiben auf diesem Gerät und werden entfernt, wenn Sie diesen Tab schließen.',
      memory: 'Ihre Dateien bleiben auf diesem Gerät und gehen verloren, wenn Sie diesen Tab schließen.',
    },
  },

  views: {
    grid: 'Raster',
    gridTitle: 'Alle Dateien anzeigen',
    one: 'Einzelansicht',
    oneTitle: 'Eine einzelne Datei anzeigen',
  },

  grid: {
    list: 'Dateien, Mehrfachauswahl',
    actions: 'Aktionen für die ausgewählten Dateien',
    noneSelected: 'Keine ausgewählt',
    selected: (count) => `${format.number(count)} ausgewählt`,
    selectAll: 'Alle auswählen',
    selectNone: 'Keine auswählen',
    reprocess: 'Erneut verarbeiten',
    remove: 'Entfernen',
    exportAll: 'Alle exportieren …',
    exportSelected: (count) => `${format.number(count)} exportieren …`,
    exportTitle: (count) => `${format.many(count, 'Datei', 'Dateien')} exportieren`,
    exportHint: 'Das Archiv behält die Ordner, die Sie auf die Seite gezogen haben.',
    exportNow: (count) => `${format.number(count)} exportieren`,
    exportExtras: 'Zusätzlich exportieren',
    exportExtraNames: {
      masks: 'Masken: Schwarz-Weiß-Bilder des verborgenen Bereichs und jedes Objekts (PNG)',
      metadata: 'Erkannte Objekte mit ihren Positionen (JSON)',
      report: 'Signierter Bericht über die Verarbeitung jeder Datei (JSON)',
    },
    exportedUnsigned:
      'Exportiert. Die Berichte sind nicht signiert: Dieser Browser oder der Server hat keinen Schlüssel für Signaturen. Manche privaten Fenster behalten keinen.',
    notReady: (count) =>
      `${format.many(count, 'Datei hat', 'Dateien haben')} noch kein Ergebnis und ${count === 1 ? 'wird' : 'werden'} nicht exportiert.`,
    framesLostUncertain: 'Einzelbilder können fehlen',
    framesLost: (count) =>
      `${format.many(count, 'Einzelbild konnte', 'Einzelbilder konnten')} nicht gelesen werden`,
    lowMemory: 'In Teilen verarbeitet, weil der Speicher nicht reichte',
    audioDropped: 'Ein Teil des Tons fehlt',
    unstored: 'Zu groß zum Speichern: geht beim Neuladen verloren',
    stale: 'Mit anderen Einstellungen erstellt',
  },
};
