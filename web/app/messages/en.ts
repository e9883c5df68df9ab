import type { ObjectClass } from '#shared/pipeline/object-class';
import type { Method } from '#shared/pipeline/options';
import type { MetadataKind } from '#shared/pipeline/source-metadata';
import type { PictureStatus } from '../../state/pictures';

const many = (count: number, one: string, other: string): string => `${count} ${count === 1 ? one : other}`;
const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Names of one and of several. */
const OBJECTS = {
  face: ['face', 'faces'],
  'license-plate': ['plate', 'plates'],
  person: ['person', 'people'],
  vehicle: ['vehicle', 'vehicles'],
} as const satisfies Record<ObjectClass, readonly [string, string]>;

const MB = 1e6;
/** As disks and browsers count. */
const megabytes = (bytes: number): string => `${(bytes / MB).toFixed(bytes < 10 * MB ? 1 : 0)} MB`;

const seconds = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} s`;

/** Every word on the page. Another language is another object of this shape. */
export const english = {
  percent,
  productName: 'Veil',

  welcome: {
    title: 'Hide faces and plates in your pictures',
    lead: 'Veil finds them, covers them for good, and gives you the picture back. It all happens on this machine: nothing is uploaded.',
    choose: 'Choose pictures',
    hint: 'or drop them anywhere on this page, or paste',
    formats: 'JPEG and PNG, as many as you like',
    points: [
      ['Nothing leaves this machine', 'The page works on its own, even with the network unplugged.'],
      ['Covered for good', 'What is hidden cannot be brought back from the saved picture.'],
      ['You decide', 'Faces, plates, people, vehicles: blurred, pixelated or blacked out.'],
    ],
    scene: 'A drawn street: on one side of a divider a face and a license plate are covered.',
  },

  drop: 'Drop to add',
  close: 'Close',

  machine: {
    title: 'On this machine',
    lead: 'Everything that finds and hides runs in this page, with nothing but what is listed here.',
    open: 'What runs and what is stored on this machine',
  },

  privacy: {
    open: 'What this page has sent, and how to check it',
    badge: 'Nothing is uploaded',
    title: 'What this page sends',
    sent: (bytes: number) => `${bytes < 1000 ? `${bytes} bytes` : megabytes(bytes)} sent`,
    notCounted: 'Not counted',
    notCountedDetail:
      'This browser does not let the page count its own requests. The rules below hold all the same.',
    requests: (count: number, bytes: number) =>
      `Since this page was opened, ${many(count, 'request has', 'requests have')} gone to the network, ${bytes === 0 ? 'to load parts of the page itself' : 'some of them with data, to the server that you chose'}.`,
    list: 'The latest requests',
    method: 'Method',
    address: 'Address',
    bytes: 'Bytes sent',
    why: 'Why nothing can leave',
    whyDetail:
      'Pictures are opened, searched and covered by this page, on this machine. The page is served with a policy that the browser enforces: it may talk to the address that it came from, and to no other. Requests are counted by the one script that all of them pass, before they go; it refuses whatever carries data, except to a server that you chose yourself in the API reference.',
    check: 'How to check it',
    steps: [
      'Wait until everything is stored (see “On this machine”), switch the network off, and open the page again: it works as before.',
      'Open the browser’s developer tools (F12), choose “Network”, then add a picture: no request appears that carries it.',
      'In the same tools, look at the response headers of the page: Content-Security-Policy says connect-src ’self’.',
      'Read the script that counts: sw.js, beside this page.',
    ],
  },

  metadata: {
    found: 'Also in the original',
    removed: 'Also removed',
    none: 'The original tells nothing but the picture.',
    kinds: {
      place: 'Place (GPS)',
      thumbnail: 'Preview',
      'other-pictures': 'More pictures',
      trailer: 'Data behind the picture',
      exif: 'Camera data (EXIF)',
      'maker-notes': 'Maker notes',
      xmp: 'XMP',
      iptc: 'Captions (IPTC)',
      text: 'Comment',
      time: 'Date',
      'colour-profile': 'Colour profile',
      other: 'Other data',
    } satisfies Record<MetadataKind, string>,
    explained: {
      place: 'Where the picture was taken',
      thumbnail: 'A small copy of the uncovered picture',
      'other-pictures': 'Further uncovered pictures in the same file',
      trailer: 'Often a short film that phones add, or further pictures',
      exif: 'Camera, settings, date, sometimes names',
      'maker-notes': 'Notes of the camera’s maker, often with a serial number',
      xmp: 'Editing history, captions, names',
      iptc: 'Captions, names, places',
      text: 'Text in the file',
      time: 'When the file was changed',
      'colour-profile': 'How colours were meant; the result uses the usual ones',
      other: 'Data that is not needed to show the picture',
    } satisfies Record<MetadataKind, string>,
  },

  offline: {
    title: 'Without a network',
    checking: 'Looking at what is stored …',
    unavailable: 'This browser stores nothing for this page, so it opens with a network only.',
    storing: (stored: number, total: number) =>
      `Being stored: ${megabytes(stored)} of ${megabytes(total)}. Until then the page opens with a network only.`,
    stored: 'All stored: this page opens and works without a network.',
    incomplete: (missing: readonly string[]) =>
      `Not everything could be stored, so the page may not work without a network. Missing: ${missing.join(', ')}.`,
    removed: 'Removed. The page is stored again when it is opened the next time.',
    usage: (bytes: number) => `The browser keeps ${megabytes(bytes)} for this page.`,
    remove: 'Remove what is stored',
    removeHint: 'Pictures are not among it: they are gone when this page is closed.',
  },

  update: {
    title: 'A new version is ready.',
    detail: 'Starting it closes the pictures that are open here.',
    accept: 'Start it now',
    decline: 'Later',
  },

  header: {
    reference: 'API',
    referenceExplained: 'API reference, with requests to try and examples for clients',
    language: 'Language',
    themes: { auto: 'Theme: like the system', light: 'Theme: light', dark: 'Theme: dark' },
  },

  engine: {
    loading: (share: number) => `Getting ready ${percent(share)}`,
    ready: 'Ready',
    backend: (name: string) => name,
    retry: 'Try again',
    failedDetail: 'The detection models could not be loaded.',
    insecure:
      'Open this page over https, or on the machine that serves it: browsers do not let it work otherwise.',
  },

  classes: {
    face: 'Faces',
    'license-plate': 'License plates',
    person: 'People',
    vehicle: 'Vehicles',
  } satisfies Record<ObjectClass, string>,
  oneOf: (name: ObjectClass) => OBJECTS[name][0].replace(/^./, (letter) => letter.toUpperCase()),

  methods: {
    blur: 'Blur',
    pixelate: 'Pixelate',
    blacken: 'Blacken',
    detect: 'Only find',
  } satisfies Record<Method, string>,

  panel: {
    title: 'Settings',
    classes: 'What to hide',
    method: 'How',
    thresholds: 'Sensitivity',
    thresholdsHint: 'Lower finds more, and may cover too much.',
    threshold: (name: string) => `${name}: lowest score`,
    reset: 'Reset',
    apply: 'Apply',
    applyTo: (count: number) => `Apply to ${many(count, 'picture', 'pictures')}`,
    noClass: 'Choose at least one kind of object.',
    download: 'Download',
    downloadAll: (count: number) => `Download all (${count})`,
    packing: 'Packing…',
    archiveName: 'anonymised-pictures.zip',
    onlyFound: 'Objects were only looked for: there is no new picture to download.',
    saveFailed: 'The pictures could not be saved.',
  },

  pictures: {
    list: 'Pictures',
    add: 'Add pictures',
    clear: 'Clear all',
    remove: 'Remove this picture',
    removeNamed: (name: string) => `Remove ${name}`,
    progress: (done: number, count: number) => `${done} of ${many(count, 'picture', 'pictures')} done`,
    failedCount: (count: number) => `${count} could not be processed`,
    statuses: {
      waiting: 'waiting',
      processing: 'in work',
      done: 'done',
      failed: 'could not be processed',
    } satisfies Record<PictureStatus, string>,
    /** @param count of objects found, where the picture is done */
    label: (name: string, status: string, count: number | undefined) =>
      [name, status, ...(count === undefined ? [] : [many(count, 'object', 'objects')])].join(', '),
  },

  stage: {
    region: 'Picture',
    canvas: (name: string) => `${name}, before and after`,
    original: 'Original',
    result: 'Result',
    originalAlt: (name: string) => `${name}, original`,
    resultAlt: (name: string) => `${name}, with objects hidden`,
    divider: 'Divider between original and result',
    dividerValue: (share: number) => `${percent(share)} original`,
    hold: 'Hold to see the original',
    holdTitle: 'Hold to see the original (O)',
    boxes: 'Boxes',
    boxesTitle: 'Show what was found (B)',
    boxesList: 'Objects found',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fit: 'Fit to screen',
    retry: 'Try again',
    remove: 'Remove',
    working: (share: number) => (share > 0 ? `Working ${percent(share)}` : 'Working'),
    waiting: 'Waiting for its turn',
    failedTitle: 'This picture could not be processed',
    size: (width: number, height: number) => `${width} × ${height}`,
    seconds,
    box: (name: string, score: number) => `${name} ${percent(score)}`,
    object: (box: string, fromLeft: number, fromTop: number) =>
      `${box}, ${fromLeft} % from the left, ${fromTop} % from the top`,
  },

  keys: {
    title: 'Keys',
    groups: [
      {
        title: 'Everywhere',
        keys: [
          [['Tab'], 'To the next control'],
          [['←', '→'], 'To the previous or next picture'],
          [['?'], 'Show this'],
        ],
      },
      {
        title: 'While the picture has the focus',
        keys: [
          [['B'], 'Show or hide what was found'],
          [['O', 'Space'], 'Hold to see the original'],
          [['+', '−'], 'Zoom in or out'],
          [['0'], 'Fit to screen'],
        ],
      },
      {
        title: 'While the divider has the focus',
        keys: [
          [['←', '→'], 'Move it'],
          [['Home', 'End'], 'Only the result, or only the original'],
        ],
      },
    ] as readonly { title: string; keys: readonly (readonly [names: readonly string[], action: string])[] }[],
    hasKey: 'The question mark opens this',
  },

  found: (counts: ReadonlyMap<ObjectClass, number>): string => {
    const parts = [...counts].map(([name, count]) => many(count, OBJECTS[name][0], OBJECTS[name][1]));
    return parts.length > 0 ? parts.join(', ') : 'Nothing found';
  },

  announceDone: (name: string, found: string) => `${name}: ${found}`,
  announceFailed: (name: string, error: string) => `${name}: ${error}`,
  pageTitle: 'Veil – hide faces and license plates in your pictures',
  titleWorking: (done: number, count: number) => `${done}/${count} – Veil`,
  unexpected: 'Something went wrong on this page. Please try this picture again.',
};

export type Messages = typeof english;
