import type { ObjectClass } from '#shared/pipeline/object-class';
import type { Messages } from './en';

const many = (count: number, one: string, other: string): string => `${count} ${count === 1 ? one : other}`;
const percent = (share: number): string => `${Math.round(share * 100)} %`;
const decimal = (value: number, digits: number): string => value.toFixed(digits).replace('.', ',');

/** Names of one and of several. */
const OBJECTS = {
  face: ['Gesicht', 'Gesichter'],
  'license-plate': ['Kennzeichen', 'Kennzeichen'],
  person: ['Person', 'Personen'],
  vehicle: ['Fahrzeug', 'Fahrzeuge'],
} as const satisfies Record<ObjectClass, readonly [string, string]>;

const MB = 1e6;
const megabytes = (bytes: number): string => `${decimal(bytes / MB, bytes < 10 * MB ? 1 : 0)} MB`;
const pictures = (count: number): string => many(count, 'Bild', 'Bilder');

/** German, in the polite form. */
export const german: Messages = {
  percent,
  productName: 'Veil',

  welcome: {
    title: 'Gesichter und Kennzeichen in Bildern verbergen',
    lead: 'Veil findet sie, verdeckt sie endgültig und gibt Ihnen das Bild zurück. Alles geschieht auf diesem Gerät: Nichts wird hochgeladen.',
    choose: 'Bilder auswählen',
    hint: 'oder irgendwo auf diese Seite ziehen oder einfügen',
    formats: 'JPEG und PNG, so viele Sie wollen',
    points: [
      ['Nichts verlässt dieses Gerät', 'Die Seite arbeitet allein, auch wenn das Netz abgeschaltet ist.'],
      ['Endgültig verdeckt', 'Was verborgen ist, lässt sich aus dem gespeicherten Bild nicht zurückholen.'],
      [
        'Sie entscheiden',
        'Gesichter, Kennzeichen, Personen, Fahrzeuge: unscharf, verpixelt oder geschwärzt.',
      ],
    ],
    scene:
      'Eine gezeichnete Straße: Auf einer Seite einer Trennlinie sind ein Gesicht und ein Kennzeichen verdeckt.',
  },

  drop: 'Zum Hinzufügen loslassen',
  close: 'Schließen',

  machine: {
    title: 'Auf diesem Gerät',
    lead: 'Alles, was sucht und verdeckt, läuft in dieser Seite, mit nichts als dem, was hier steht.',
    open: 'Was auf diesem Gerät läuft und gespeichert ist',
  },

  privacy: {
    open: 'Was diese Seite gesendet hat, und wie Sie es prüfen',
    badge: 'Nichts wird hochgeladen',
    title: 'Was diese Seite sendet',
    sent: (bytes) => `${bytes < 1000 ? `${bytes} Bytes` : megabytes(bytes)} gesendet`,
    notCounted: 'Nicht gezählt',
    notCountedDetail:
      'Dieser Browser lässt die Seite ihre eigenen Anfragen nicht zählen. Die Regeln unten gelten trotzdem.',
    requests: (count, bytes) =>
      `Seit diese Seite geöffnet wurde: ${many(count, 'Anfrage', 'Anfragen')} ans Netz, ${bytes === 0 ? 'um Teile der Seite selbst zu laden' : 'einige davon mit Daten, an den Server, den Sie gewählt haben'}.`,
    list: 'Die letzten Anfragen',
    method: 'Methode',
    address: 'Adresse',
    bytes: 'Gesendete Bytes',
    why: 'Warum nichts hinausgehen kann',
    whyDetail:
      'Bilder werden von dieser Seite auf diesem Gerät geöffnet, durchsucht und verdeckt. Die Seite kommt mit einer Regel, die der Browser durchsetzt: Sie darf nur mit der Adresse sprechen, von der sie kam. Anfragen zählt das eine Skript, an dem alle vorbeimüssen, bevor sie hinausgehen; es weist ab, was Daten mitführt, außer zu einem Server, den Sie in der API-Referenz selbst gewählt haben.',
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
      `Wird gespeichert: ${megabytes(stored)} von ${megabytes(total)}. Bis dahin öffnet sich die Seite nur mit Netz.`,
    stored: 'Alles gespeichert: Diese Seite öffnet sich und arbeitet ohne Netz.',
    incomplete: (missing) =>
      `Nicht alles ließ sich speichern; ohne Netz arbeitet die Seite vielleicht nicht. Es fehlt: ${missing.join(', ')}.`,
    removed: 'Entfernt. Beim nächsten Öffnen wird die Seite wieder gespeichert.',
    usage: (bytes) => `Der Browser behält ${megabytes(bytes)} für diese Seite.`,
    remove: 'Gespeichertes entfernen',
    removeHint: 'Bilder gehören nicht dazu: Sie sind weg, wenn diese Seite geschlossen wird.',
  },

  update: {
    title: 'Eine neue Version ist da.',
    detail: 'Sie zu starten schließt die Bilder, die hier offen sind.',
    accept: 'Jetzt starten',
    decline: 'Später',
  },

  header: {
    reference: 'API',
    referenceExplained: 'API-Referenz (englisch) zum Ausprobieren, mit Beispielen für Clients',
    language: 'Sprache',
    themes: { auto: 'Farben: wie das System', light: 'Farben: hell', dark: 'Farben: dunkel' },
  },

  engine: {
    loading: (share) => `Wird vorbereitet ${percent(share)}`,
    ready: 'Bereit',
    backend: (name) => name.replace('thread', 'Thread'),
    retry: 'Nochmals versuchen',
    failedDetail: 'Die Modelle zum Erkennen konnten nicht geladen werden.',
    insecure:
      'Öffnen Sie diese Seite über https oder auf dem Gerät, das sie ausliefert: Anders lassen Browser sie nicht arbeiten.',
  },

  classes: {
    face: 'Gesichter',
    'license-plate': 'Kennzeichen',
    person: 'Personen',
    vehicle: 'Fahrzeuge',
  },
  oneOf: (name) => OBJECTS[name][0],

  methods: {
    blur: 'Unscharf',
    pixelate: 'Verpixelt',
    blacken: 'Schwarz',
    detect: 'Nur finden',
  },

  panel: {
    title: 'Einstellungen',
    classes: 'Was verborgen wird',
    method: 'Wie',
    thresholds: 'Empfindlichkeit',
    thresholdsHint: 'Niedriger findet mehr und verdeckt vielleicht zu viel.',
    threshold: (name) => `${name}: kleinste Sicherheit`,
    reset: 'Zurücksetzen',
    apply: 'Anwenden',
    applyTo: (count) => `Auf ${pictures(count)} anwenden`,
    noClass: 'Wählen Sie mindestens eine Art von Objekten.',
    download: 'Herunterladen',
    downloadAll: (count) => `Alle herunterladen (${count})`,
    packing: 'Wird gepackt …',
    archiveName: 'anonymisierte-bilder.zip',
    onlyFound: 'Objekte wurden nur gesucht: Es gibt kein neues Bild zum Herunterladen.',
    saveFailed: 'Die Bilder konnten nicht gespeichert werden.',
  },

  pictures: {
    list: 'Bilder',
    add: 'Bilder hinzufügen',
    clear: 'Alle entfernen',
    remove: 'Dieses Bild entfernen',
    removeNamed: (name) => `${name} entfernen`,
    progress: (done, count) => `${done} von ${pictures(count).replace('Bilder', 'Bildern')} fertig`,
    failedCount: (count) => `${count} nicht verarbeitet`,
    statuses: {
      waiting: 'wartet',
      processing: 'in Arbeit',
      done: 'fertig',
      failed: 'konnte nicht verarbeitet werden',
    },
    label: (name, status, count) =>
      [name, status, ...(count === undefined ? [] : [many(count, 'Objekt', 'Objekte')])].join(', '),
  },

  stage: {
    region: 'Bild',
    canvas: (name) => `${name}, vorher und nachher`,
    original: 'Original',
    result: 'Ergebnis',
    originalAlt: (name) => `${name}, Original`,
    resultAlt: (name) => `${name}, mit verborgenen Objekten`,
    divider: 'Trennlinie zwischen Original und Ergebnis',
    dividerValue: (share) => `${percent(share)} Original`,
    hold: 'Halten, um das Original zu sehen',
    holdTitle: 'Halten, um das Original zu sehen (O)',
    boxes: 'Rahmen',
    boxesTitle: 'Zeigen, was gefunden wurde (B)',
    boxesList: 'Gefundene Objekte',
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    fit: 'Ganz zeigen',
    retry: 'Nochmals versuchen',
    remove: 'Entfernen',
    working: (share) => (share > 0 ? `In Arbeit ${percent(share)}` : 'In Arbeit'),
    waiting: 'Wartet, bis es drankommt',
    failedTitle: 'Dieses Bild konnte nicht verarbeitet werden',
    size: (width, height) => `${width} × ${height}`,
    seconds: (value) => `${decimal(value, value < 10 ? 1 : 0)} s`,
    box: (name, score) => `${name} ${percent(score)}`,
    object: (box, fromLeft, fromTop) => `${box}, ${fromLeft} % von links, ${fromTop} % von oben`,
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
          [['B'], 'Zeigen oder verbergen, was gefunden wurde'],
          [['O', 'Leertaste'], 'Halten, um das Original zu sehen'],
          [['+', '−'], 'Vergrößern oder verkleinern'],
          [['0'], 'Ganz zeigen'],
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

  found: (counts) => {
    const parts = [...counts].map(([name, count]) => many(count, OBJECTS[name][0], OBJECTS[name][1]));
    return parts.length > 0 ? parts.join(', ') : 'Nichts gefunden';
  },

  announceDone: (name, found) => `${name}: ${found}`,
  announceFailed: (name, error) => `${name}: ${error}`,
  pageTitle: 'Veil – Gesichter und Kennzeichen in Bildern verbergen',
  titleWorking: (done, count) => `${done}/${count} – Veil`,
  unexpected:
    'Auf dieser Seite ist etwas schiefgegangen. Bitte versuchen Sie es mit diesem Bild noch einmal.',
};
