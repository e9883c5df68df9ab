import type { ServerMessages } from './en-server';

/** Texts about the server that can process files instead of this tab, in German. */
export const germanServer: ServerMessages = {
  server: {
    title: 'Wo Dateien verarbeitet werden',
    tab: 'In diesem Tab. Dateien bleiben auf diesem Gerät.',
    limits: [
      'Die Verarbeitung läuft nur, solange der Tab geöffnet ist. Nach einem Neuladen beginnen unterbrochene Dateien von vorn.',
      'Dateien werden nacheinander verarbeitet. Ohne leistungsfähigen Grafikprozessor dauert die Verarbeitung langer Videos lange.',
      'Dateien, die Skripte an die API dieser Seite senden, liegen zuerst im Arbeitsspeicher. Fügen Sie große Dateien direkt auf der Seite hinzu.',
      'Keine Webhooks und kein Zugriff von anderen Geräten.',
    ],
    limitsTitle: 'Grenzen der Verarbeitung im Tab',
    searching: 'Server wird gesucht …',
    none: (address) =>
      `Unter ${address} antwortet kein Server. Die Seite wurde von einem statischen Host geladen und kann sich mit keiner anderen Adresse verbinden. Um den Server Ihres Teams zu verwenden, öffnen Sie die Seite, die dieser Server bereitstellt.`,
    offer: (address) =>
      `Unter ${address} antwortet ein Server. Wenn Sie ihn verwenden, werden die Dateien, die Sie hinzufügen, an ihn gesendet und dort verarbeitet. Die Seite lädt jedes Ergebnis herunter. Der Server behält Datei und Ergebnis, damit Sie es dort bearbeiten können, bis Sie die Datei hier entfernen, Dateien wieder in diesem Tab verarbeiten oder die Seite schließen. Die Seite kann sich mit keiner anderen Adresse verbinden. Um einen anderen Server zu verwenden, öffnen Sie die Seite, die er bereitstellt.`,
    token: 'Token',
    tokenHint:
      'Nur nötig, wenn der Server mit einem Token gestartet wurde. Es braucht die Rechte upload und read, und edit, wenn Sie Ergebnisse ändern möchten. Die Seite vergisst es, wenn Sie sie schließen oder neu laden.',
    turnOn: 'Meine Dateien an diesen Server senden',
    turnOff: 'Dateien wieder in diesem Tab verarbeiten',
    on: (address) => `Dateien werden an ${address} gesendet und dort verarbeitet.`,
  },
};
