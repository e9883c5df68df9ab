import type { ObjectClass } from '#shared/catalogue/classes';
import { germanAbout, germanServer } from './de-about';
import type { Messages, LibraryMessages } from './en';
import { germanModels } from './de-models';
import { germanReview, germanVideo } from './de-review';
import { format } from './de-format';
import { GERMAN_SENTENCES } from './de-sentences';
import { createTranslation } from './translate';

/** Texts about the open files, in German. */
const germanLibrary: LibraryMessages = {
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
      log: 'Protokoll, was warum verborgen ist (CSV), und der Bericht zum Drucken (HTML)',
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

const LIST = new Intl.ListFormat('de');

/** Singular and plural. */
const OBJECTS = {
  face: ['Gesicht', 'Gesichter'],
  'license-plate': ['Kennzeichen', 'Kennzeichen'],
  person: ['Person', 'Personen'],
  vehicle: ['Fahrzeug', 'Fahrzeuge'],
  text: ['Text', 'Texte'],
} as const satisfies Record<ObjectClass, readonly [string, string]>;

/** Counts files: as images while there are no videos. */
const countFiles = (count: number, haveVideos: boolean): string =>
  haveVideos ? format.many(count, 'Datei', 'Dateien') : format.many(count, 'Bild', 'Bilder');

/** German, in the formal form (“Sie”). */
export const german: Messages = {
  ...germanAbout,
  ...germanLibrary,
  ...germanModels,
  ...germanServer,
  percent: format.percent,
  productName: 'Veil',

  welcome: {
    title: 'Gesichter und Kennzeichen in Bildern und Videos verbergen',
    lead: 'Veil findet sie, verbirgt sie dauerhaft und gibt die Datei zurück. Alles läuft auf diesem Gerät. Nichts wird hochgeladen.',
    choose: 'Dateien auswählen',
    hint: 'oder auf diese Seite ziehen oder aus der Zwischenablage einfügen',
    formats: (images, videos) =>
      `${LIST.format(images.map((name) => `${name}-`))}Bilder, ${LIST.format(videos.map((name) => `${name}-`))}Videos, beliebig viele Dateien`,
    points: [
      ['Nichts verlässt dieses Gerät', 'Die Seite funktioniert auch ohne Netzwerkverbindung.'],
      [
        'Dauerhaft verborgen',
        'Von verborgenen Gesichtern und Kennzeichen bleibt nichts in der gespeicherten Datei.',
      ],
      [
        'Sie entscheiden',
        'Gesichter, Kennzeichen, Personen, Fahrzeuge, Text: unscharf, verpixelt oder geschwärzt.',
      ],
    ],
    scene:
      'Zeichnung einer Straße. Auf einer Seite einer Trennlinie sind ein Gesicht und ein Kennzeichen verborgen.',
  },

  drop: 'Zum Hinzufügen loslassen',
  close: 'Schließen',

  header: {
    reference: 'API',
    referenceExplained: 'API-Referenz (englisch) mit Anfragen zum Ausprobieren und Beispielen für Clients',
    help: 'Hilfe',
    language: 'Sprache',
    themes: { auto: 'Farbschema: System', light: 'Farbschema: hell', dark: 'Farbschema: dunkel' },
  },

  engine: {
    loading: 'Wird geladen',
    ready: 'Bereit',
    backend: (name) => name.replace('thread', 'Thread'),
    retry: 'Erneut versuchen',
    failedDetail: 'Die Modelle konnten nicht geladen werden.',
    insecure:
      'Öffnen Sie diese Seite über https oder auf dem Computer, der sie bereitstellt. Sonst blockiert der Browser Funktionen, die die Seite braucht.',
  },

  classes: {
    face: 'Gesichter',
    'license-plate': 'Kennzeichen',
    person: 'Personen',
    vehicle: 'Fahrzeuge',
    text: 'Text',
  },
  objectName: (name) => OBJECTS[name][0],

  methods: {
    blur: 'Unscharf',
    pixelate: 'Verpixelt',
    blacken: 'Schwarz',
    detect: 'Nur erkennen',
  },
  qualities: {
    fast: 'Schnell',
    balanced: 'Ausgewogen',
    thorough: 'Gründlich',
  },

  parameters: {
    'head-fallback': { name: 'Köpfe ohne erkanntes Gesicht verbergen' },
    'keep-metadata': {
      name: 'Kamera, Datum und Ort behalten',
      hint: 'Gilt für Dateien, die in diesem Tab verarbeitet werden. Bilder behalten auch Panoramadaten, Videos nur Datum und Positionen. Vorschaubilder, Notizen, Namen und Seriennummern werden immer entfernt.',
    },
    audio: { name: 'Ton aus Videos entfernen', hint: 'Stimmen können Personen erkennbar machen.' },
  },

  panorama: {
    sphere: 'Laut Metadaten ein 360°-Panorama: rundum und an den Polen durchsucht.',
    part: 'Laut Metadaten ein Teil eines Panoramas: als gewöhnliches Bild durchsucht.',
    around: 'Umsehen',
    aroundTitle: 'Im Panorama umsehen, wie von seiner Mitte aus',
    canvas: (name) => `${name}, rundum: zum Umsehen ziehen oder Pfeiltasten drücken`,
    alt: (name) => `Ausschnitt von ${name}, wie von der Mitte aus gesehen`,
    cannotShow: 'Diesem Browser fehlt WebGL 2, das diese Ansicht braucht.',
    guess: 'Als 360°-Panorama durchsuchen',
    guessHint: (count) =>
      count === 1
        ? 'Eine Datei ist doppelt so breit wie hoch und zeigt vielleicht ein 360°-Panorama.'
        : `${format.number(count)} Dateien sind doppelt so breit wie hoch und zeigen vielleicht 360°-Panoramen.`,
  },

  panel: {
    title: 'Einstellungen',
    classes: 'Zu verbergende Objekte',
    method: 'Methode',
    classMethods: 'Methode je Objektart',
    classMethod: (name) => `Methode für ${name}`,
    quality: 'Erkennungsqualität',
    qualityHints: {
      fast: 'Am schnellsten. Übersieht mehr kleine Objekte.',
      balanced: 'Findet die meisten Objekte in kurzer Zeit.',
      thorough: 'Wie Ausgewogen, außer Sie haben Modelle für Gründlich hinzugefügt.',
    },
    thresholds: 'Mindestkonfidenz',
    thresholdsHint: 'Objekte mit niedrigerer Konfidenz bleiben sichtbar.',
    thresholdLow: 'Verbirgt mehr',
    thresholdHigh: 'Verbirgt weniger',
    threshold: (name) => `${name}: Mindestkonfidenz`,
    histogram: (hidden, total) =>
      `Mindestkonfidenz erreicht: ${format.number(hidden)} von ${format.number(total)}`,
    keepPerson: 'Eine Person sichtbar lassen …',
    keepFace: 'Sichtbar lassen …',
    more: 'Rand, Gründe, Fall',
    reset: 'Zurücksetzen',
    apply: 'Anwenden',
    applyTo: (count, haveVideos) => `Auf ${countFiles(count, haveVideos)} anwenden`,
    noClass: 'Wählen Sie mindestens eine Objektart.',
    download: 'Herunterladen',
    downloadAll: (count) => `Alle herunterladen (${format.number(count)})`,
    packing: 'Wird gepackt …',
    archiveName: 'anonymisierte-dateien.zip',
    nothingToDownload: 'Objekte wurden nur erkannt. Es gibt kein Ergebnis zum Herunterladen.',
    saveFailed: 'Die Dateien konnten nicht gespeichert werden.',
    checkFirst: 'Objekte können übersehen werden. Prüfen Sie jedes Ergebnis, bevor Sie es veröffentlichen.',
  },

  files: {
    list: 'Dateien',
    add: 'Bilder oder Videos hinzufügen',
    takePhoto: 'Foto aufnehmen',
    clear: 'Alle entfernen',
    pause: 'Anhalten',
    resume: 'Fortsetzen',
    retryFailed: (count) => `${format.number(count)} erneut versuchen`,
    remove: 'Entfernen',
    removeNamed: (name) => `${name} entfernen`,
    progress: (done, count, haveVideos) =>
      `${format.number(done)} von ${countFiles(count, haveVideos).replace('Bilder', 'Bildern')} fertig`,
    failedCount: (count) => `${format.number(count)} fehlgeschlagen`,
    statuses: {
      waiting: 'wartet',
      processing: 'wird verarbeitet',
      done: 'fertig',
      failed: 'fehlgeschlagen',
    },
    label: (name, status, count) =>
      [name, status, ...(count === undefined ? [] : [format.many(count, 'Objekt', 'Objekte')])].join(', '),
  },

  stage: {
    region: 'Ausgewählte Datei',
    canvas: (name) => `${name}, vorher und nachher`,
    original: 'Original',
    result: 'Ergebnis',
    originalAlt: (name) => `${name}, Original`,
    resultAlt: (name) => `${name}, mit verborgenen Objekten`,
    divider: 'Trennlinie zwischen Original und Ergebnis',
    dividerValue: (share) => `${format.percent(share)} Original`,
    hold: 'Gedrückt halten, um das Original zu sehen',
    holdTitle: 'Gedrückt halten, um das Original zu sehen (O)',
    boxes: 'Rahmen',
    boxesTitle: 'Rahmen erkannter Objekte anzeigen (B)',
    boxesList: 'Erkannte Objekte',
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    fit: 'Ganzes Bild anzeigen',
    retry: 'Erneut versuchen',
    remove: 'Entfernen',
    working: (share) => (share > 0 ? `Wird verarbeitet: ${format.percent(share)}` : 'Wird verarbeitet'),
    waiting: 'Wartet',
    unreleased: 'Muss noch freigegeben werden',
    failedTitle: 'Dieses Bild konnte nicht verarbeitet werden',
    lowMemory:
      'Der Speicher reichte nicht, daher wurde dieses Bild in Teilen verarbeitet. Prüfen Sie das Ergebnis auf übersehene Objekte.',
    size: (width, height) => `${width} × ${height}`,
    seconds: (value) => format.seconds(value),
    box: (name, score) => `${name} ${format.percent(score)}`,
    object: (box, fromLeft, fromTop) =>
      `${box}, ${format.percent(fromLeft)} von links, ${format.percent(fromTop)} von oben`,
  },

  review: germanReview,
  video: germanVideo,

  objectCounts: (counts) => {
    const parts = [...counts].map(([name, count]) => format.many(count, OBJECTS[name][0], OBJECTS[name][1]));
    return parts.length > 0 ? format.facts(parts) : 'Keine Objekte gefunden';
  },

  announceDone: (name, found) => `${name}: ${found}`,
  said: createTranslation(GERMAN_SENTENCES, '.'),
  announceFailed: (name, error) => `${name}: ${error}`,
  pageTitle: 'Veil – Gesichter und Kennzeichen in Bildern und Videos verbergen',
  titleWorking: (done, count) => `${format.number(done)}/${format.number(count)} – Veil`,
  unexpected:
    'Auf dieser Seite ist ein unerwarteter Fehler aufgetreten. Bitte verarbeiten Sie diese Datei erneut.',
};
