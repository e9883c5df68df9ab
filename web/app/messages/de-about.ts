import type { AboutMessages } from './en-about';
import { format } from './de-format';

/** What the page says of itself, in German. */
export const germanAbout: AboutMessages = {
  machine: {
    title: 'Auf diesem Gerät',
    lead: 'Alles, was sucht und verdeckt, läuft in dieser Seite, mit nichts als dem, was hier steht.',
    open: 'Was auf diesem Gerät läuft und gespeichert ist',
  },

  speed: {
    title: 'Geschwindigkeit',
    idle: 'Ein Testbild mit 1280 × 720 Pixeln wird viermal verarbeitet, wie jedes andere, mit den jetzigen Einstellungen.',
    running: 'Wird gemessen …',
    failed: 'Es ließ sich nicht messen.',
    measured: (perPicture, megapixels) =>
      `${format.seconds(perPicture, 2)} für ein Bild mit 1280 × 720 Pixeln: ${format.decimal(megapixels, 1)} Megapixel in der Sekunde.`,
    measure: 'Messen',
    busy: 'Bilder sind in Arbeit: Das Messen wartet auf sie.',
  },

  privacy: {
    open: 'Was diese Seite gesendet hat, und wie Sie es prüfen',
    badge: 'Nichts wird hochgeladen',
    title: 'Was diese Seite sendet',
    sent: (bytes) => `${format.bytes(bytes)} gesendet`,
    notCounted: 'Nicht gezählt',
    notCountedDetail:
      'Dieser Browser lässt die Seite ihre eigenen Anfragen nicht zählen. Die Regeln unten gelten trotzdem.',
    requests: (count, bytes) =>
      `Seit diese Seite geöffnet wurde: ${format.many(count, 'Anfrage', 'Anfragen')} ans Netz, ${bytes === 0 ? 'um Teile der Seite selbst zu laden' : 'einige davon mit Daten, an den Server, den Sie gewählt haben'}.`,
    list: 'Die letzten Anfragen',
    method: 'Methode',
    address: 'Adresse',
    bytes: 'Gesendete Bytes',
    why: 'Warum nichts hinausgehen kann',
    whyDetail:
      'Bilder werden von dieser Seite auf diesem Gerät geöffnet, durchsucht und verdeckt. Die Seite kommt mit einer Regel, die der Browser durchsetzt: Sie darf nur mit der Adresse sprechen, von der sie kam. Anfragen zählt das eine Skript, an dem alle vorbeimüssen, bevor sie hinausgehen; es weist ab, was Daten mitführt, außer zu dem Server, von dem die Seite kam, und nur solange Sie das selbst gewählt haben, hier oder in der API-Referenz.',
    check: 'Wie Sie es prüfen',
    steps: [
      'Warten Sie, bis alles gespeichert ist (siehe „Auf diesem Gerät“), schalten Sie das Netz ab und öffnen Sie die Seite neu: Sie arbeitet wie vorher.',
      'Öffnen Sie die Entwicklerwerkzeuge des Browsers (F12), wählen Sie „Netzwerk“ und fügen Sie ein Bild hinzu: Keine Anfrage führt es mit.',
      'Sehen Sie dort die Antwort-Header der Seite an: In Content-Security-Policy steht connect-src ’self’.',
      'Lesen Sie das Skript, das zählt: sw.js, neben dieser Seite.',
    ],
  },

  metadata: {
    found: 'Außerdem im Original',
    removed: 'Außerdem entfernt',
    kept: 'Behalten',
    keep: 'Kamera, Datum und Ort behalten',
    keepHint:
      'In Bildern, an denen dieser Tab arbeitet. Vorschaubilder, Notizen, Namen und Seriennummern bleiben nie.',
    none: 'Das Original verrät nichts als das Bild.',
    kinds: {
      place: 'Ort (GPS)',
      thumbnail: 'Vorschaubild',
      'other-pictures': 'Weitere Bilder',
      trailer: 'Daten hinter dem Bild',
      exif: 'Kameradaten (EXIF)',
      'maker-notes': 'Herstellernotizen',
      xmp: 'XMP',
      iptc: 'Bildtexte (IPTC)',
      text: 'Kommentar',
      time: 'Datum',
      'colour-profile': 'Farbprofil',
      other: 'Andere Daten',
    },
    explained: {
      place: 'Wo das Bild aufgenommen wurde',
      thumbnail: 'Eine kleine Kopie des unverdeckten Bildes',
      'other-pictures': 'Weitere unverdeckte Bilder in derselben Datei',
      trailer: 'Oft ein kurzer Film, den Telefone anhängen, oder weitere Bilder',
      exif: 'Kamera, Einstellungen, Datum, manchmal Namen',
      'maker-notes': 'Notizen des Kameraherstellers, oft mit Seriennummer',
      xmp: 'Bearbeitungsverlauf, Bildtexte, Namen',
      iptc: 'Bildtexte, Namen, Orte',
      text: 'Text in der Datei',
      time: 'Wann die Datei geändert wurde',
      'colour-profile': 'Wie Farben gemeint waren; das Ergebnis nimmt die üblichen',
      other: 'Daten, die zum Zeigen des Bildes nicht nötig sind',
    },
  },

  offline: {
    title: 'Ohne Netz',
    checking: 'Sieht nach, was gespeichert ist …',
    unavailable: 'Dieser Browser speichert nichts für diese Seite; sie öffnet sich also nur mit Netz.',
    storing: (stored, total) =>
      `Wird gespeichert: ${format.megabytes(stored)} von ${format.megabytes(total)}. Bis dahin öffnet sich die Seite nur mit Netz.`,
    stored: 'Alles gespeichert: Diese Seite öffnet sich und arbeitet ohne Netz.',
    incomplete: (missing) =>
      `Nicht alles ließ sich speichern; ohne Netz arbeitet die Seite vielleicht nicht. Es fehlt: ${format.list(missing)}.`,
    removed: 'Entfernt. Beim nächsten Öffnen wird die Seite wieder gespeichert.',
    usage: (bytes) =>
      `Der Browser behält ${format.megabytes(bytes)} für diese Seite, Ihre Bilder und Modelle mitgezählt.`,
    remove: 'Gespeichertes entfernen',
    removeHint: 'Hinzugefügte Modelle gehen mit. Ihre Bilder gehören nicht dazu: siehe oben.',
  },

  update: {
    title: 'Eine neue Version ist da.',
    detail:
      'Dabei wird die Seite neu geladen; Ihre Bilder kommen wieder, unterbrochene Arbeit beginnt von vorn.',
    accept: 'Jetzt starten',
    decline: 'Später',
  },

  keys: {
    title: 'Tasten',
    groups: [
      {
        title: 'Überall',
        keys: [
          [['Tab'], 'Zum nächsten Bedienelement'],
          [['←', '→'], 'Zum vorigen oder nächsten Bild'],
          [['?'], 'Dies hier zeigen'],
        ],
      },
      {
        title: 'Wenn das Bild den Fokus hat',
        keys: [
          [['E'], 'Bearbeiten, was verborgen wird, oder damit aufhören'],
          [['B'], 'Zeigen oder verbergen, was gefunden wurde'],
          [['O', 'Leertaste'], 'Halten, um das Original zu sehen'],
          [['+', '−'], 'Vergrößern oder verkleinern'],
          [['0'], 'Ganz zeigen'],
        ],
      },
      {
        title: 'Während das Bild bearbeitet wird',
        keys: [
          [['Tab'], 'Zum nächsten Objekt'],
          [['Enter', 'Leertaste'], 'Das Objekt verbergen oder zeigen'],
          [['←', '→', '↑', '↓'], 'Es verschieben'],
          [['Umschalt + Pfeile'], 'Seine Größe ändern'],
          [['Entf'], 'Es löschen'],
          [['V'], 'Auswählen'],
          [['R', 'C', 'P'], 'Rechteck, Ellipse, mit dem Pinsel verbergen'],
          [['K'], 'Einen Bereich frei lassen'],
          [['Enter'], 'In die Mitte setzen, was gezeichnet würde'],
          [['Leertaste + Ziehen'], 'Das Bild verschieben'],
          [['Strg + Z'], 'Rückgängig'],
          [['Strg + Umschalt + Z'], 'Wiederholen'],
          [['Esc'], 'Wieder auswählen, dann nichts'],
        ],
      },
      {
        title: 'Wenn das Raster den Fokus hat',
        keys: [
          [['←', '→', '↑', '↓'], 'Ein anderes Bild auswählen; mit Umschalt alle bis dahin'],
          [['Leertaste'], 'Eines mehr oder weniger auswählen'],
          [['Strg + A', 'Esc'], 'Alle oder keine auswählen'],
          [['Eingabe'], 'Groß zeigen'],
          [['Entf'], 'Ausgewähltes entfernen'],
        ],
      },
      {
        title: 'Wenn die Trennlinie den Fokus hat',
        keys: [
          [['←', '→'], 'Verschieben'],
          [['Pos1', 'Ende'], 'Nur das Ergebnis oder nur das Original'],
        ],
      },
    ],
    hasKey: 'Das Fragezeichen öffnet dies',
  },
};
