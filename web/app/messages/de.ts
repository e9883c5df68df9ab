import type { ObjectClass } from '#shared/domain/object-class';
import { germanAbout } from './de-about';
import type { Messages } from './en';
import { germanLibrary } from './de-library';
import { germanModels } from './de-models';
import { germanReview } from './de-review';
import { germanServer } from './de-server';
import { germanVideo } from './de-video';
import { format } from './de-format';

/** Names of one and of several. */
const OBJECTS = {
  face: ['Gesicht', 'Gesichter'],
  'license-plate': ['Kennzeichen', 'Kennzeichen'],
  person: ['Person', 'Personen'],
  vehicle: ['Fahrzeug', 'Fahrzeuge'],
} as const satisfies Record<ObjectClass, readonly [string, string]>;

const files = (count: number, haveVideos: boolean): string =>
  haveVideos ? format.many(count, 'Datei', 'Dateien') : format.many(count, 'Bild', 'Bilder');

/** German, in the polite form. */
export const german: Messages = {
  ...germanAbout,
  ...germanLibrary,
  ...germanModels,
  ...germanServer,
  percent: format.percent,
  productName: 'Veil',

  welcome: {
    title: 'Gesichter und Kennzeichen in Bildern und Videos verbergen',
    lead: 'Veil findet sie, verdeckt sie endgültig und gibt Ihnen die Datei zurück. Alles geschieht auf diesem Gerät: Nichts wird hochgeladen.',
    choose: 'Dateien auswählen',
    hint: 'oder irgendwo auf diese Seite ziehen oder einfügen',
    formats: 'Bilder (JPEG, PNG) und Videos (MP4, MOV, WebM, MKV), so viele Sie wollen',
    points: [
      ['Nichts verlässt dieses Gerät', 'Die Seite arbeitet allein, auch wenn das Netz abgeschaltet ist.'],
      ['Endgültig verdeckt', 'Was verborgen ist, lässt sich aus der gespeicherten Datei nicht zurückholen.'],
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

  header: {
    reference: 'API',
    referenceExplained: 'API-Referenz (englisch) zum Ausprobieren, mit Beispielen für Clients',
    language: 'Sprache',
    themes: { auto: 'Farben: wie das System', light: 'Farben: hell', dark: 'Farben: dunkel' },
  },

  engine: {
    loading: 'Wird vorbereitet',
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
  qualities: {
    fast: 'Schnell',
    balanced: 'Ausgewogen',
    thorough: 'Gründlich',
  },

  panel: {
    title: 'Einstellungen',
    classes: 'Was verborgen wird',
    method: 'Wie',
    classMethods: 'Manches anders',
    classMethodsHint:
      'In Bildern, die dieser Tab bearbeitet. In Videos, und was ein Server bearbeitet, gilt die Wahl darüber.',
    classMethod: (name) => `Wie ${name} verborgen werden`,
    quality: 'Suche',
    qualityHints: {
      fast: 'Übersieht mehr von dem, was klein ist.',
      balanced: 'Findet das meiste in kurzer Zeit.',
      thorough: 'Findet mehr von dem, was klein ist, und dauert mehrmals so lange.',
    },
    hidesHeads: 'Köpfe verbergen, deren Gesicht nicht gefunden wird',
    thresholds: 'Empfindlichkeit',
    thresholdsHint: 'Niedriger findet mehr und verdeckt vielleicht zu viel.',
    threshold: (name) => `${name}: kleinste Sicherheit`,
    histogram: (hidden, total) => `${format.number(hidden)} von ${format.number(total)} sicher genug`,
    reset: 'Zurücksetzen',
    apply: 'Anwenden',
    applyTo: (count, haveVideos) => `Auf ${files(count, haveVideos)} anwenden`,
    noClass: 'Wählen Sie mindestens eine Art von Objekten.',
    download: 'Herunterladen',
    downloadAll: (count) => `Alle herunterladen (${format.number(count)})`,
    packing: 'Wird gepackt …',
    archiveName: 'anonymisierte-bilder.zip',
    onlyFound: 'Objekte wurden nur gesucht: Es gibt nichts Neues zum Herunterladen.',
    saveFailed: 'Die Dateien konnten nicht gespeichert werden.',
  },

  pictures: {
    list: 'Bilder',
    add: 'Bilder oder Videos hinzufügen',
    takePicture: 'Bild aufnehmen',
    clear: 'Alle entfernen',
    pause: 'Anhalten',
    resume: 'Fortsetzen',
    retryFailed: (count) => `${format.number(count)} nochmals versuchen`,
    remove: 'Entfernen',
    removeNamed: (name) => `${name} entfernen`,
    progress: (done, count, haveVideos) =>
      `${format.number(done)} von ${files(count, haveVideos).replace('Bilder', 'Bildern')} fertig`,
    failedCount: (count) => `${format.number(count)} nicht verarbeitet`,
    statuses: {
      waiting: 'wartet',
      processing: 'in Arbeit',
      done: 'fertig',
      failed: 'fehlgeschlagen',
    },
    label: (name, status, count) =>
      [name, status, ...(count === undefined ? [] : [format.many(count, 'Objekt', 'Objekte')])].join(', '),
  },

  stage: {
    region: 'Bild',
    canvas: (name) => `${name}, vorher und nachher`,
    original: 'Original',
    result: 'Ergebnis',
    originalAlt: (name) => `${name}, Original`,
    resultAlt: (name) => `${name}, mit verborgenen Objekten`,
    divider: 'Trennlinie zwischen Original und Ergebnis',
    dividerValue: (share) => `${format.percent(share)} Original`,
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
    working: (share) => (share > 0 ? `In Arbeit ${format.percent(share)}` : 'In Arbeit'),
    waiting: 'Wartet, bis es drankommt',
    failedTitle: 'Dieses Bild konnte nicht verarbeitet werden',
    sparedMemory:
      'Der Speicher war knapp, daher wurde dieses Bild stückweise durchsucht. Bitte sehen Sie es durch.',
    size: (width, height) => `${width} × ${height}`,
    seconds: (value) => format.seconds(value),
    box: (name, score) => `${name} ${format.percent(score)}`,
    object: (box, fromLeft, fromTop) =>
      `${box}, ${format.percent(fromLeft)} von links, ${format.percent(fromTop)} von oben`,
  },

  review: germanReview,
  video: germanVideo,

  found: (counts) => {
    const parts = [...counts].map(([name, count]) => format.many(count, OBJECTS[name][0], OBJECTS[name][1]));
    return parts.length > 0 ? format.facts(parts) : 'Nichts gefunden';
  },

  announceDone: (name, found) => `${name}: ${found}`,
  announceFailed: (name, error) => `${name}: ${error}`,
  pageTitle: 'Veil – Gesichter und Kennzeichen in Bildern verbergen',
  titleWorking: (done, count) => `${format.number(done)}/${format.number(count)} – Veil`,
  unexpected:
    'Auf dieser Seite ist etwas schiefgegangen. Bitte versuchen Sie es mit diesem Bild noch einmal.',
};
