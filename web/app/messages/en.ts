import type { ObjectClass } from '#shared/domain/object-class';
import type { Method, QualityPreset } from '#shared/domain/options';
import type { MediaStatus } from '../../state/media-item';
import { englishAbout } from './en-about';
import { englishLibrary } from './en-library';
import { englishModels } from './en-models';
import { englishReview } from './en-review';
import { englishServer } from './en-server';
import { englishVideo } from './en-video';
import { format } from './en-format';

/** What the user's files are called together. */
const files = (count: number, haveVideos: boolean): string =>
  haveVideos ? format.many(count, 'file', 'files') : format.many(count, 'picture', 'pictures');

/** Names of one and of several. */
const OBJECTS = {
  face: ['face', 'faces'],
  'license-plate': ['plate', 'plates'],
  person: ['person', 'people'],
  vehicle: ['vehicle', 'vehicles'],
} as const satisfies Record<ObjectClass, readonly [string, string]>;

/** Every word on the page. Another language is another object of this shape. */
export const english = {
  ...englishAbout,
  ...englishLibrary,
  ...englishModels,
  ...englishServer,
  percent: format.percent,
  productName: 'Veil',

  welcome: {
    title: 'Hide faces and plates in your pictures and videos',
    lead: 'Veil finds them, covers them for good, and gives you the file back. It all happens on this machine: nothing is uploaded.',
    choose: 'Choose files',
    hint: 'or drop them anywhere on this page, or paste',
    formats: 'JPEG and PNG pictures, MP4, MOV, WebM and MKV videos, as many as you like',
    points: [
      ['Nothing leaves this machine', 'The page works on its own, even with the network unplugged.'],
      ['Covered for good', 'What is hidden cannot be brought back from the saved file.'],
      ['You decide', 'Faces, plates, people, vehicles: blurred, pixelated or blacked out.'],
    ],
    scene: 'A drawn street: on one side of a divider a face and a license plate are covered.',
  },

  drop: 'Drop to add',
  close: 'Close',

  header: {
    reference: 'API',
    referenceExplained: 'API reference, with requests to try and examples for clients',
    language: 'Language',
    themes: { auto: 'Theme: like the system', light: 'Theme: light', dark: 'Theme: dark' },
  },

  engine: {
    loading: 'Getting ready',
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
  qualities: {
    fast: 'Fast',
    balanced: 'Balanced',
    thorough: 'Thorough',
  } satisfies Record<QualityPreset, string>,

  panel: {
    title: 'Settings',
    classes: 'What to hide',
    method: 'How',
    classMethods: 'Differently for some',
    classMethodsHint:
      'In pictures that this tab works on. Videos, and what a server does, are hidden as above.',
    classMethod: (name: string) => `How ${name.toLowerCase()} are hidden`,
    quality: 'Search',
    qualityHints: {
      fast: 'Misses more of what is small.',
      balanced: 'Finds most, in little time.',
      thorough: 'Finds more of what is small, and takes several times as long.',
    } satisfies Record<QualityPreset, string>,
    hidesHeads: 'Hide heads whose face is not found',
    thresholds: 'Sensitivity',
    thresholdsHint: 'Lower finds more, and may cover too much.',
    threshold: (name: string) => `${name}: lowest score`,
    histogram: (hidden: number, total: number) =>
      `${format.number(hidden)} of ${format.number(total)} sure enough`,
    reset: 'Reset',
    apply: 'Apply',
    applyTo: (count: number, haveVideos: boolean) => `Apply to ${files(count, haveVideos)}`,
    noClass: 'Choose at least one kind of object.',
    download: 'Download',
    downloadAll: (count: number) => `Download all (${format.number(count)})`,
    packing: 'Packing…',
    archiveName: 'anonymised-pictures.zip',
    onlyFound: 'Objects were only looked for: there is nothing new to download.',
    saveFailed: 'The files could not be saved.',
  },

  pictures: {
    list: 'Pictures',
    add: 'Add pictures or videos',
    takePicture: 'Take a picture',
    clear: 'Clear all',
    pause: 'Pause',
    resume: 'Go on',
    retryFailed: (count: number) => `Try ${format.number(count)} again`,
    remove: 'Remove',
    removeNamed: (name: string) => `Remove ${name}`,
    progress: (done: number, count: number, haveVideos: boolean) =>
      `${format.number(done)} of ${files(count, haveVideos)} done`,
    failedCount: (count: number) => `${format.number(count)} could not be processed`,
    statuses: {
      waiting: 'waiting',
      processing: 'in work',
      done: 'done',
      failed: 'could not be processed',
    } satisfies Record<MediaStatus, string>,
    /** @param count of objects found, where the picture is done */
    label: (name: string, status: string, count: number | undefined) =>
      [name, status, ...(count === undefined ? [] : [format.many(count, 'object', 'objects')])].join(', '),
  },

  stage: {
    region: 'Picture',
    canvas: (name: string) => `${name}, before and after`,
    original: 'Original',
    result: 'Result',
    originalAlt: (name: string) => `${name}, original`,
    resultAlt: (name: string) => `${name}, with objects hidden`,
    divider: 'Divider between original and result',
    dividerValue: (share: number) => `${format.percent(share)} original`,
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
    working: (share: number) => (share > 0 ? `Working ${format.percent(share)}` : 'Working'),
    waiting: 'Waiting for its turn',
    failedTitle: 'This picture could not be processed',
    sparedMemory: 'Memory ran short, so this picture was searched piece by piece. Please look through it.',
    size: (width: number, height: number) => `${width} × ${height}`,
    seconds: (value: number) => format.seconds(value),
    box: (name: string, score: number) => `${name} ${format.percent(score)}`,
    /** Places are shares of the picture, 0..1. */
    object: (box: string, fromLeft: number, fromTop: number) =>
      `${box}, ${format.percent(fromLeft)} from the left, ${format.percent(fromTop)} from the top`,
  },

  review: englishReview,
  video: englishVideo,

  found: (counts: ReadonlyMap<ObjectClass, number>): string => {
    const parts = [...counts].map(([name, count]) => format.many(count, OBJECTS[name][0], OBJECTS[name][1]));
    return parts.length > 0 ? format.facts(parts) : 'Nothing found';
  },

  announceDone: (name: string, found: string) => `${name}: ${found}`,
  announceFailed: (name: string, error: string) => `${name}: ${error}`,
  pageTitle: 'Veil – hide faces and license plates in your pictures',
  titleWorking: (done: number, count: number) => `${format.number(done)}/${format.number(count)} – Veil`,
  unexpected: 'Something went wrong on this page. Please try this picture again.',
};

export type Messages = typeof english;
