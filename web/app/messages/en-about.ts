import type { MetadataKind } from '#shared/engine/formats/source-metadata';
import { format } from './en-format';

/** What the page says of itself: what runs, what is stored, what is sent, what keys do. */
export const englishAbout = {
  machine: {
    title: 'On this machine',
    lead: 'Everything that finds and hides runs in this page, with nothing but what is listed here.',
    open: 'What runs and what is stored on this machine',
  },

  speed: {
    title: 'Speed',
    idle: 'A test picture of 1280 × 720 is processed four times, as any other, with the present settings.',
    running: 'Measuring …',
    failed: 'It could not be measured.',
    measured: (perPicture: number, megapixels: number) =>
      `${format.seconds(perPicture, 2)} for a picture of 1280 × 720: ${format.decimal(megapixels, 1)} megapixels a second.`,
    measure: 'Measure',
    busy: 'Pictures are in work: measuring waits for them.',
  },

  privacy: {
    open: 'What this page has sent, and how to check it',
    badge: 'Nothing is uploaded',
    title: 'What this page sends',
    sent: (bytes: number) => `${format.bytes(bytes)} sent`,
    notCounted: 'Not counted',
    notCountedDetail:
      'This browser does not let the page count its own requests. The rules below hold all the same.',
    requests: (count: number, bytes: number) =>
      `Since this page was opened, ${format.many(count, 'request has', 'requests have')} gone to the network, ${bytes === 0 ? 'to load parts of the page itself' : 'some of them with data, to the server that you chose'}.`,
    list: 'The latest requests',
    method: 'Method',
    address: 'Address',
    bytes: 'Bytes sent',
    why: 'Why nothing can leave',
    whyDetail:
      'Pictures are opened, searched and covered by this page, on this machine. The page is served with a policy that the browser enforces: it may talk to the address that it came from, and to no other. Requests are counted by the one script that all of them pass, before they go; it refuses whatever carries data, except to the server that the page came from, and only while you have chosen that yourself, here or in the API reference.',
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
    kept: 'Kept',
    keep: 'Keep camera, date and place',
    keepHint: 'In pictures that this tab works on. Previews, notes, names and serial numbers never stay.',
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
      `Being stored: ${format.megabytes(stored)} of ${format.megabytes(total)}. Until then the page opens with a network only.`,
    stored: 'All stored: this page opens and works without a network.',
    incomplete: (missing: readonly string[]) =>
      `Not everything could be stored, so the page may not work without a network. Missing: ${format.list(missing)}.`,
    removed: 'Removed. The page is stored again when it is opened the next time.',
    usage: (bytes: number) =>
      `The browser keeps ${format.megabytes(bytes)} for this page, your pictures and models included.`,
    remove: 'Remove what is stored',
    removeHint: 'Models that you added go with it. Your pictures are not among it: see above.',
  },

  update: {
    title: 'A new version is ready.',
    detail:
      'Starting it loads this page anew; your pictures come back, and work that is cut off begins again.',
    accept: 'Start it now',
    decline: 'Later',
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
          [['E'], 'Edit what is hidden, or end that'],
          [['B'], 'Show or hide what was found'],
          [['O', 'Space'], 'Hold to see the original'],
          [['+', '−'], 'Zoom in or out'],
          [['0'], 'Fit to screen'],
        ],
      },
      {
        title: 'While the picture is edited',
        keys: [
          [['Tab'], 'To the next object'],
          [['Enter', 'Space'], 'Hide the object, or show it'],
          [['←', '→', '↑', '↓'], 'Move it'],
          [['Shift + arrows'], 'Resize it'],
          [['Del'], 'Delete it'],
          [['V'], 'Select'],
          [['R', 'C', 'P'], 'Hide a rectangle, an ellipse, with a brush'],
          [['K'], 'Leave an area alone'],
          [['Enter'], 'Place what would be drawn in the middle'],
          [['Space + drag'], 'Move the picture'],
          [['Ctrl + Z'], 'Undo'],
          [['Ctrl + Shift + Z'], 'Redo'],
          [['Esc'], 'Select again, then nothing'],
        ],
      },
      {
        title: 'While the grid has the focus',
        keys: [
          [['←', '→', '↑', '↓'], 'Choose another picture; with Shift, all up to it'],
          [['Space'], 'Choose one more, or one less'],
          [['Ctrl + A', 'Esc'], 'Choose all or none'],
          [['Enter'], 'Show it large'],
          [['Delete'], 'Remove what is chosen'],
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
};

export type AboutMessages = typeof englishAbout;
