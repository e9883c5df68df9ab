import type { CheckboxName } from '#shared/catalogue/derive-parameters';
import type { ObjectClass } from '#shared/catalogue/classes';
import type { Method } from '#shared/catalogue/methods';
import type { QualityPreset } from '#shared/domain/options';
import type { MediaStatus } from '../../state/media-item';
import { englishAbout, englishServer } from './en-about';
import { englishModels } from './en-models';
import { englishReview, englishVideo } from './en-review';
import { format } from './en-format';

/** Texts about the open files: how long they are stored, and the grid that shows them. */
const englishLibrary = {
  storage: {
    title: 'Your files',
    /** Label of the switch. */
    keep: 'Keep after closing',
    explanations: {
      visit:
        'Files and results are stored in this browser on this device, so a reload does not lose them. They are removed when you close this tab.',
      kept: 'Files and results stay in this browser on this device until you remove them. Anyone who uses this browser can open them.',
      elsewhere:
        'Another tab already keeps its files. To keep the files of this tab, close the other tab and open this page in a new tab. The files of this tab survive a reload and are removed when you close it.',
      memory:
        'This browser provides no storage for the page. Files and results are lost when you close or reload it.',
    },
    clear: 'Remove all files',
    count: (count: number) => `${format.many(count, 'file', 'files')} open.`,
    unstored: (count: number) =>
      `${format.many(count, 'file is', 'files are')} too large to store and will be lost on reload`,
    notStored: (names: readonly string[]) =>
      `There was not enough storage for ${format.list(names.length > 3 ? [...names.slice(0, 3), `${names.length - 3} more`] : names)}. Please add ${names.length > 1 ? 'them' : 'it'} again.`,
    dismiss: 'OK',
    summaries: {
      visit: 'Your files stay on this device and are removed when you close this tab.',
      kept: 'Your files stay on this device until you remove them.',
      elsewhere: 'Your files stay on this device and are removed when you close this tab.',
      memory: 'Your files stay on this device and are lost when you close this tab.',
    },
  },

  views: {
    grid: 'Grid',
    gridTitle: 'Show all files',
    one: 'Single file',
    oneTitle: 'Show one file at a time',
  },

  grid: {
    list: 'Files, multiple selection',
    actions: 'Actions for the selected files',
    noneSelected: 'None selected',
    selected: (count: number) => `${format.number(count)} selected`,
    selectAll: 'Select all',
    selectNone: 'Select none',
    reprocess: 'Process again',
    remove: 'Remove',
    exportAll: 'Export all …',
    exportSelected: (count: number) => `Export ${format.number(count)} …`,
    exportTitle: (count: number) => `Export ${format.many(count, 'file', 'files')}`,
    exportHint: 'The archive keeps the folders that you dropped.',
    exportNow: (count: number) => `Export ${format.number(count)}`,
    exportExtras: 'Also export',
    exportExtraNames: {
      masks: 'Masks: black-and-white images of the hidden area and of each object (PNG)',
      metadata: 'Detections with their positions (JSON)',
      report: 'Signed report of how each file was processed (JSON)',
      log: 'Log of what is hidden and why (CSV), and the report for printing (HTML)',
    },
    exportedUnsigned:
      'Exported. The reports are not signed: this browser or the server has no key for signatures. Some private windows keep none.',
    notReady: (count: number) =>
      `${format.many(count, 'file has', 'files have')} no result yet and will not be exported.`,
    framesLostUncertain: 'Frames may be missing',
    framesLost: (count: number) => `${format.many(count, 'frame', 'frames')} could not be read`,
    lowMemory: 'Processed in parts because memory ran out',
    audioDropped: 'Some audio is missing',
    unstored: 'Too large to store: lost on reload',
    stale: 'Created with other settings',
  },
};

export type LibraryMessages = typeof englishLibrary;

const LIST = new Intl.ListFormat('en-GB');

/** Counts files: as images while there are no videos. */
const countFiles = (count: number, haveVideos: boolean): string =>
  haveVideos ? format.many(count, 'file', 'files') : format.many(count, 'image', 'images');

/** Singular and plural. */
const OBJECTS = {
  face: ['face', 'faces'],
  'license-plate': ['plate', 'plates'],
  person: ['person', 'persons'],
  vehicle: ['vehicle', 'vehicles'],
  text: ['text', 'texts'],
} as const satisfies Record<ObjectClass, readonly [string, string]>;

/** Words of a parameter that is a checkbox. */
export interface CheckboxWords {
  readonly name: string;
  readonly hint?: string;
}

/** All texts of the page. Every other language has the same shape. */
export const english = {
  ...englishAbout,
  ...englishLibrary,
  ...englishModels,
  ...englishServer,
  percent: format.percent,
  productName: 'Veil',

  welcome: {
    title: 'Hide faces and plates in your images and videos',
    lead: 'Veil finds them, hides them permanently and returns the file. Everything runs on this device. Nothing is uploaded.',
    choose: 'Choose files',
    hint: 'or drop them anywhere on this page, or paste',
    formats: (images: readonly string[], videos: readonly string[]) =>
      `${LIST.format(images)} images, ${LIST.format(videos)} videos, any number of files`,
    points: [
      ['Nothing leaves this device', 'The page also works without a network connection.'],
      ['Hidden permanently', 'Of hidden faces and plates, nothing is left in the saved file.'],
      ['You decide', 'Faces, plates, persons, vehicles, text: blurred, pixelated or blackened.'],
    ],
    scene: 'Drawing of a street. On one side of a divider, a face and a license plate are hidden.',
  },

  drop: 'Drop to add',
  close: 'Close',

  header: {
    reference: 'API',
    referenceExplained: 'API reference with requests to try and client examples',
    help: 'Help',
    language: 'Language',
    themes: { auto: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' },
  },

  engine: {
    loading: 'Loading',
    ready: 'Ready',
    backend: (name: string) => name,
    retry: 'Try again',
    failedDetail: 'The detection models could not be loaded.',
    insecure:
      'Open this page over https, or on the computer that serves it. Otherwise the browser blocks functions that the page needs.',
  },

  classes: {
    face: 'Faces',
    'license-plate': 'License plates',
    person: 'Persons',
    vehicle: 'Vehicles',
    text: 'Text',
  } satisfies Record<ObjectClass, string>,
  objectName: (name: ObjectClass) => OBJECTS[name][0].replace(/^./, (letter) => letter.toUpperCase()),

  methods: {
    blur: 'Blur',
    pixelate: 'Pixelate',
    blacken: 'Blacken',
    detect: 'Detect only',
  } satisfies Record<Method, string>,
  qualities: {
    fast: 'Fast',
    balanced: 'Balanced',
    thorough: 'Thorough',
  } satisfies Record<QualityPreset, string>,

  parameters: {
    'head-fallback': { name: 'Hide heads without a detected face' },
    'keep-metadata': {
      name: 'Keep camera, date and location',
      hint: 'Applies to files processed in this tab. Images also keep panorama data; videos keep only date and positions. Previews, notes, names and serial numbers are always removed.',
    },
    audio: { name: 'Remove the audio of videos', hint: 'Voices can identify people.' },
  } as Readonly<Record<CheckboxName, CheckboxWords>>,

  panorama: {
    sphere: 'A 360° panorama, by its metadata: searched all around and at its poles.',
    part: 'A part of a panorama, by its metadata: searched as an ordinary image.',
    around: 'Look around',
    aroundTitle: 'Look around in the panorama, as from its middle',
    canvas: (name: string) => `${name}, all around: drag or use the arrow keys to look around`,
    alt: (name: string) => `Part of ${name}, as from its middle`,
    cannotShow: 'This browser has no WebGL 2, which the view needs.',
    guess: 'Search as 360° panorama',
    guessHint: (count: number) =>
      `${count === 1 ? 'One file is' : `${format.number(count)} files are`} twice as wide as high and may show 360° panoramas.`,
  },

  panel: {
    title: 'Settings',
    classes: 'Objects to hide',
    method: 'Method',
    classMethods: 'Method per object type',
    classMethod: (name: string) => `Method for ${name.toLowerCase()}`,
    quality: 'Detection quality',
    qualityHints: {
      fast: 'Fastest. Misses more small objects.',
      balanced: 'Finds most objects in a short time.',
      thorough: 'Same as Balanced, unless you have added models for Thorough.',
    } satisfies Record<QualityPreset, string>,
    thresholds: 'Minimum confidence',
    thresholdsHint: 'Objects with a lower confidence stay visible.',
    thresholdLow: 'Hides more',
    thresholdHigh: 'Hides less',
    threshold: (name: string) => `${name}: minimum confidence`,
    histogram: (hidden: number, total: number) =>
      `${format.number(hidden)} of ${format.number(total)} at or above the minimum`,
    keepPerson: 'Keep one person visible …',
    keepFace: 'Keep visible …',
    more: 'Margin, reasons, case',
    reset: 'Reset',
    apply: 'Apply',
    applyTo: (count: number, haveVideos: boolean) => `Apply to ${countFiles(count, haveVideos)}`,
    noClass: 'Select at least one object type.',
    download: 'Download',
    downloadAll: (count: number) => `Download all (${format.number(count)})`,
    packing: 'Packing…',
    archiveName: 'anonymised-files.zip',
    nothingToDownload: 'Objects were only detected. There is no result to download.',
    saveFailed: 'The files could not be saved.',
    checkFirst: 'Objects can be missed. Check each result before you publish it.',
  },

  files: {
    list: 'Files',
    add: 'Add images or videos',
    takePhoto: 'Take a photo',
    clear: 'Remove all',
    pause: 'Pause',
    resume: 'Resume',
    retryFailed: (count: number) => `Retry ${format.number(count)}`,
    remove: 'Remove',
    removeNamed: (name: string) => `Remove ${name}`,
    progress: (done: number, count: number, haveVideos: boolean) =>
      `${format.number(done)} of ${countFiles(count, haveVideos)} done`,
    failedCount: (count: number) => `${format.number(count)} failed`,
    statuses: {
      waiting: 'waiting',
      processing: 'processing',
      done: 'done',
      failed: 'failed',
    } satisfies Record<MediaStatus, string>,
    /** @param count number of detected objects; undefined until the file is done */
    label: (name: string, status: string, count: number | undefined) =>
      [name, status, ...(count === undefined ? [] : [format.many(count, 'object', 'objects')])].join(', '),
  },

  stage: {
    region: 'Selected file',
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
    boxesTitle: 'Show boxes of detected objects (B)',
    boxesList: 'Detected objects',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fit: 'Fit to screen',
    retry: 'Try again',
    remove: 'Remove',
    working: (share: number) => (share > 0 ? `Processing ${format.percent(share)}` : 'Processing'),
    waiting: 'Waiting',
    unreleased: 'Waits for a reviewer, who must release it',
    failedTitle: 'This image could not be processed',
    lowMemory: 'Memory ran out, so this image was processed in parts. Check the result for missed objects.',
    size: (width: number, height: number) => `${width} × ${height}`,
    seconds: (value: number) => format.seconds(value),
    box: (name: string, score: number) => `${name} ${format.percent(score)}`,
    /** Positions are fractions of the image size, 0..1. */
    object: (box: string, fromLeft: number, fromTop: number) =>
      `${box}, ${format.percent(fromLeft)} from the left, ${format.percent(fromTop)} from the top`,
  },

  review: englishReview,
  video: englishVideo,

  objectCounts: (counts: ReadonlyMap<ObjectClass, number>): string => {
    const parts = [...counts].map(([name, count]) => format.many(count, OBJECTS[name][0], OBJECTS[name][1]));
    return parts.length > 0 ? format.facts(parts) : 'No objects found';
  },

  announceDone: (name: string, found: string) => `${name}: ${found}`,
  /** A public sentence of the engine or the API; English where there is no other. */
  said: (sentence: string): string => sentence,
  announceFailed: (name: string, error: string) => `${name}: ${error}`,
  pageTitle: 'Veil – hide faces and license plates in your images and videos',
  titleWorking: (done: number, count: number) => `${format.number(done)}/${format.number(count)} – Veil`,
  unexpected: 'An unexpected error occurred on this page. Please process this file again.',
};

export type Messages = typeof english;
