import type { ServerMessages } from './en-server';

/** What the page says of a server that does the work, in German. */
export const germanServer: ServerMessages = {
  server: {
    title: 'Wo die Arbeit geschieht',
    tab: 'In diesem Tab. Dateien bleiben auf diesem Gerät.',
    limits: [
      'Gearbeitet wird, solange der Tab offen ist; was ein Neuladen unterbricht, beginnt von vorn.',
      'Eine Datei ist zur Zeit in Arbeit, und große Videos dauern ohne starken Grafikprozessor lange.',
      'Was Skripte an die API dieser Seite senden, liegt erst im Speicher: Fügen Sie große Dateien der Seite selbst hinzu.',
      'Keine Webhooks, und kein Weg herein für andere Geräte.',
    ],
    limitsTitle: 'Was ein Tab nicht kann',
    searching: 'Sucht einen Server …',
    none: (address) =>
      `Unter ${address} antwortet kein Server: Diese Seite kommt von einem reinen Dateiablageort. Mit anderen Adressen darf die Seite nicht sprechen. Um den Server Ihres Teams zu benutzen, öffnen Sie die Seite, die der Server selbst anbietet.`,
    offer: (address) =>
      `Unter ${address} antwortet ein Server. Wird er benutzt, gehen die Dateien, die Sie hinzufügen, an ihn. Er tut die Arbeit, die Ergebnisse kommen in diesen Tab zurück, und er wird angewiesen, beides sofort zu löschen. Mit anderen Adressen darf die Seite nicht sprechen: Um einen anderen Server zu benutzen, öffnen Sie die Seite, die er anbietet.`,
    token: 'Token',
    tokenHint:
      'Nur wo der Server mit einem gestartet wurde. Vergessen, wenn diese Seite geschlossen oder neu geladen wird.',
    turnOn: 'Meine Dateien an diesen Server senden',
    turnOff: 'Wieder in diesem Tab arbeiten',
    on: (address) => `Dateien gehen an ${address}; dort geschieht die Arbeit.`,
  },
};
