import type { MetadataKind } from '#shared/domain/image-header';
import { format } from './en-format';

/** Texts about the server that can process files instead of this tab. */
export const englishServer = {
  server: {
    title: 'Where files are processed',
    tab: 'In this tab. Files stay on this device.',
    limits: [
      'Processing runs only while the tab is open. After a reload, interrupted files start from the beginning.',
      'Files are processed one at a time. Long videos are slow without a powerful graphics processor.',
      'Files that scripts send to the API of this page are held in memory first. Add large files to the page itself.',
      'No webhooks, and no access from other devices.',
    ],
    limitsTitle: 'Limits of processing in a tab',
    searching: 'Looking for a server …',
    none: (address: string) =>
      `No server answers at ${address}. The page was loaded from a static host and can connect to no other address. To use your team’s server, open the page that this server provides.`,
    offer: (address: string) =>
      `A server answers at ${address}. If you use it, the files that you add are sent to it and processed there. The page downloads each result. The server keeps the file and the result, so that you can edit it there, until you remove the file here, process files in this tab again, or close the page. The page can connect to no other address. To use another server, open the page that it provides.`,
    token: 'Token',
    tokenHint:
      'Required only if the server was started with a token. It needs the scopes upload and read, and edit if you want to change results. The page forgets it when you close or reload it.',
    turnOn: 'Send my files to this server',
    turnOff: 'Process files in this tab again',
    on: (address: string) => `Files are sent to ${address} and processed there.`,
  },
};

export type ServerMessages = typeof englishServer;

/** Texts about the page itself: models, storage, requests, removed metadata and keyboard shortcuts. */
export const englishAbout = {
  device: {
    title: 'On this device',
    lead: 'Detection and anonymisation run in this page with the models listed here.',
    open: 'Show models, speed and storage on this device',
  },

  speed: {
    title: 'Speed',
    idle: 'Processes a test image of 1280 × 720 pixels four times with the current settings.',
    running: 'Measuring …',
    failed: 'The measurement failed.',
    measured: (secondsPerImage: number, megapixels: number) =>
      `${format.seconds(secondsPerImage, 2)} for an image of 1280 × 720 pixels: ${format.decimal(megapixels, 1)} megapixels per second.`,
    measure: 'Measure',
    busy: 'You can measure when processing is done.',
  },

  privacy: {
    open: 'Show what this page has sent and how to verify it',
    badge: 'Nothing is uploaded',
    title: 'What this page sends',
    sent: (bytes: number) => `${format.bytes(bytes)} sent`,
    notCounted: 'Not counted',
    notCountedDetail: 'In this browser the page cannot count its own requests. The rules below still apply.',
    requests: (count: number, bytes: number) =>
      `${format.many(count, 'network request', 'network requests')} since this page was opened. ${bytes === 0 ? 'They loaded parts of the page.' : 'Some of them sent data to the server that you chose.'}`,
    list: 'Latest requests',
    method: 'Method',
    address: 'Address',
    bytes: 'Bytes sent',
    why: 'Why nothing leaves this device',
    whyDetail:
      'This page opens, searches and changes your files on this device. The browser enforces a policy of the page: it can connect only to the address that it was loaded from. All requests pass one script, which counts them. The script refuses requests that carry data, except to the server that the page was loaded from, and only while you have chosen that server here or in the API reference. One worker may load recommended models from their hub, if you press that button: it has a policy of its own, and gets nothing of your files.',
    check: 'How to verify it',
    steps: [
      'Wait until everything is stored (see “On this device”), disconnect from the network and open the page again. It works as before.',
      'Open the browser’s developer tools (F12), select “Network” and add an image. No request contains it.',
      "In the developer tools, check the response headers of the page. Content-Security-Policy contains connect-src 'self'.",
      'Read the script that counts the requests: sw.js, next to this page.',
    ],
  },

  metadata: {
    found: 'Metadata in the original',
    removed: 'Metadata removed',
    kept: 'Metadata kept',
    none: 'The original contains no metadata.',
    kinds: {
      place: 'Location (GPS)',
      telemetry: 'Telemetry',
      thumbnail: 'Preview',
      'other-pictures': 'More images',
      trailer: 'Data after the image',
      'capture-time': 'Capture time',
      exif: 'Camera data (EXIF)',
      'maker-notes': 'Maker notes',
      device: 'Camera',
      xmp: 'XMP',
      iptc: 'Captions (IPTC)',
      subtitles: 'Subtitles',
      chapters: 'Chapters',
      text: 'Comment',
      time: 'Date',
      panorama: 'Panorama',
      'colour-profile': 'Colour profile',
      other: 'Other data',
    } satisfies Record<MetadataKind, string>,
    descriptions: {
      place: 'Where the image was taken',
      telemetry: 'Tracks with measurements, often positions (GPS) and motion',
      thumbnail: 'A small copy of the original image',
      'other-pictures': 'More original images in the same file',
      trailer: 'Often a short video that phones add, or more images',
      'capture-time': 'When the image was taken',
      exif: 'Camera, settings, date, sometimes names',
      'maker-notes': 'Data of the camera manufacturer, often with a serial number',
      device: 'Camera, its settings and programs',
      xmp: 'Editing history, captions, names',
      iptc: 'Captions, names, places',
      subtitles: 'Subtitles and other text tracks',
      chapters: 'Names and times of chapters',
      text: 'Text in the file',
      time: 'When the file was changed',
      panorama: 'Projection and viewing direction of a panorama (GPano)',
      'colour-profile': 'Colour space of the original; the result uses sRGB',
      other: 'Data that is not needed to display the image',
    } satisfies Record<MetadataKind, string>,
  },

  offline: {
    title: 'Offline use',
    checking: 'Checking what is stored …',
    unavailable:
      'This browser provides no storage for the page, so the page opens only with a network connection.',
    storing: (stored: number, total: number) =>
      `Storing ${format.megabytes(stored)} of ${format.megabytes(total)}. Until this is done, the page opens only with a network connection.`,
    stored: 'Everything is stored. The page works without a network connection.',
    incomplete: (missing: readonly string[]) =>
      `Some files could not be stored, so the page may not work without a network connection. Missing: ${format.list(missing)}.`,
    removed: 'Removed. The page is stored again the next time you open it.',
    usage: (bytes: number) =>
      `The browser keeps ${format.megabytes(bytes)} for this page, including your files and models.`,
    remove: 'Remove stored data',
    removeHint: 'This also removes the models that you added. It does not remove your files: see above.',
  },

  update: {
    title: 'A new version is available.',
    detail:
      'Starting it reloads the page. Your files are restored, and interrupted processing starts from the beginning.',
    accept: 'Start it now',
    decline: 'Later',
  },
};

export type AboutMessages = typeof englishAbout;
