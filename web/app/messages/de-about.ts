import type { AboutMessages, ServerMessages } from './en-about';
import { format } from './de-format';

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

/** Texts about the page itself, in German. */
export const germanAbout: AboutMessages = {
  device: {
    title: 'Auf diesem Gerät',
    lead: 'Erkennung und Anonymisierung laufen in dieser Seite mit den hier aufgeführten Modellen.',
    open: 'Modelle, Geschwindigkeit und Speicher auf diesem Gerät anzeigen',
  },

  speed: {
    title: 'Geschwindigkeit',
    idle: 'Verarbeitet ein Testbild mit 1280 × 720 Pixeln viermal mit den aktuellen Einstellungen.',
    running: 'Wird gemessen …',
    failed: 'Die Messung ist fehlgeschlagen.',
    measured: (secondsPerImage, megapixels) =>
      `${format.seconds(secondsPerImage, 2)} für ein Bild mit 1280 × 720 Pixeln: ${format.decimal(megapixels, 1)} Megapixel pro Sekunde.`,
    measure: 'Messen',
    busy: 'Sie können messen, sobald die Verarbeitung fertig ist.',
  },

  privacy: {
    open: 'Anzeigen, was diese Seite gesendet hat und wie Sie es prüfen können',
    badge: 'Nichts wird hochgeladen',
    title: 'Was diese Seite sendet',
    sent: (bytes) => `${format.bytes(bytes)} gesendet`,
    notCounted: 'Nicht gezählt',
    notCountedDetail:
      'In diesem Browser kann die Seite ihre eigenen Anfragen nicht zählen. Die Regeln unten gelten trotzdem.',
    requests: (count, bytes) =>
      `${format.many(count, 'Netzwerkanfrage', 'Netzwerkanfragen')}, seit diese Seite geöffnet wurde. ${bytes === 0 ? 'Damit wurden Teile der Seite geladen.' : 'Einige davon haben Daten an den Server gesendet, den Sie gewählt haben.'}`,
    list: 'Letzte Anfragen',
    method: 'Methode',
    address: 'Adresse',
    bytes: 'Gesendete Bytes',
    why: 'Warum nichts dieses Gerät verlässt',
    whyDetail:
      'Diese Seite öffnet, durchsucht und verändert Ihre Dateien auf diesem Gerät. Der Browser setzt eine Regel der Seite durch: Sie kann sich nur mit der Adresse verbinden, von der sie geladen wurde. Alle Anfragen laufen durch ein Skript, das sie zählt. Das Skript weist Anfragen mit Daten ab, außer an den Server, von dem die Seite geladen wurde, und nur solange Sie diesen Server hier oder in der API-Referenz gewählt haben. Ein Worker darf empfohlene Modelle von ihrem Anbieter laden, wenn Sie die Schaltfläche dafür drücken: Er hat eine eigene Regel und bekommt nichts von Ihren Dateien.',
    check: 'Wie Sie es prüfen können',
    steps: [
      'Warten Sie, bis alles gespeichert ist (siehe „Auf diesem Gerät“), trennen Sie die Netzwerkverbindung und öffnen Sie die Seite erneut. Sie funktioniert wie zuvor.',
      'Öffnen Sie die Entwicklerwerkzeuge des Browsers (F12), wählen Sie „Netzwerk“ und fügen Sie ein Bild hinzu. Keine Anfrage enthält es.',
      "Prüfen Sie in den Entwicklerwerkzeugen die Antwort-Header der Seite. Content-Security-Policy enthält connect-src 'self'.",
      'Lesen Sie das Skript, das die Anfragen zählt: sw.js, neben dieser Seite.',
    ],
  },

  metadata: {
    found: 'Metadaten im Original',
    removed: 'Entfernte Metadaten',
    kept: 'Behaltene Metadaten',
    none: 'Das Original enthält keine Metadaten.',
    kinds: {
      place: 'Ort (GPS)',
      telemetry: 'Telemetrie',
      thumbnail: 'Vorschaubild',
      'other-pictures': 'Weitere Bilder',
      trailer: 'Daten nach dem Bild',
      'capture-time': 'Aufnahmezeit',
      exif: 'Kameradaten (EXIF)',
      'maker-notes': 'Herstellernotizen',
      device: 'Kamera',
      xmp: 'XMP',
      iptc: 'Bildtexte (IPTC)',
      subtitles: 'Untertitel',
      chapters: 'Kapitel',
      text: 'Kommentar',
      time: 'Datum',
      panorama: 'Panorama',
      'colour-profile': 'Farbprofil',
      other: 'Andere Daten',
    },
    descriptions: {
      place: 'Wo das Bild aufgenommen wurde',
      telemetry: 'Spuren mit Messwerten, oft Positionen (GPS) und Bewegung',
      thumbnail: 'Eine kleine Kopie des Originalbildes',
      'other-pictures': 'Weitere Originalbilder in derselben Datei',
      trailer: 'Oft ein kurzes Video, das Telefone anhängen, oder weitere Bilder',
      'capture-time': 'Wann das Bild aufgenommen wurde',
      exif: 'Kamera, Einstellungen, Datum, manchmal Namen',
      'maker-notes': 'Daten des Kameraherstellers, oft mit Seriennummer',
      device: 'Kamera, ihre Einstellungen und Programme',
      xmp: 'Bearbeitungsverlauf, Bildtexte, Namen',
      iptc: 'Bildtexte, Namen, Orte',
      subtitles: 'Untertitel und andere Textspuren',
      chapters: 'Namen und Zeiten von Kapiteln',
      text: 'Text in der Datei',
      time: 'Wann die Datei geändert wurde',
      panorama: 'Projektion und Blickrichtung eines Panoramas (GPano)',
      'colour-profile': 'Farbraum des Originals; das Ergebnis verwendet sRGB',
      other: 'Daten, die für die Anzeige des Bildes nicht nötig sind',
    },
  },

  offline: {
    title: 'Offline-Nutzung',
    checking: 'Speicher wird geprüft …',
    unavailable:
      'Dieser Browser stellt der Seite keinen Speicher bereit. Sie öffnet sich daher nur mit Netzwerkverbindung.',
    storing: (stored, total) =>
      `${format.megabytes(stored)} von ${format.megabytes(total)} gespeichert. Bis alles gespeichert ist, öffnet sich die Seite nur mit Netzwerkverbindung.`,
    stored: 'Alles ist gespeichert. Die Seite funktioniert ohne Netzwerkverbindung.',
    incomplete: (missing) =>
      `Einige Dateien konnten nicht gespeichert werden. Die Seite funktioniert daher möglicherweise nicht ohne Netzwerkverbindung. Es fehlt: ${format.list(missing)}.`,
    removed: 'Entfernt. Die Seite wird beim nächsten Öffnen wieder gespeichert.',
    usage: (bytes) =>
      `Der Browser speichert ${format.megabytes(bytes)} für diese Seite, einschließlich Ihrer Dateien und Modelle.`,
    remove: 'Gespeicherte Daten entfernen',
    removeHint:
      'Entfernt auch die Modelle, die Sie hinzugefügt haben. Ihre Dateien bleiben erhalten: siehe oben.',
  },

  update: {
    title: 'Eine neue Version ist verfügbar.',
    detail:
      'Beim Start wird die Seite neu geladen. Ihre Dateien werden wiederhergestellt, und eine unterbrochene Verarbeitung beginnt von vorn.',
    accept: 'Jetzt starten',
    decline: 'Später',
  },
};
