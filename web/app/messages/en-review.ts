import type { Tool } from '../review/tools';
import { format } from './en-format';

/** Texts that only videos need. */
export const englishVideo = {
  play: 'Play',
  pause: 'Pause',
  position: 'Position in the video',
  time: (at: number, all: number) => `${format.clock(at)} / ${format.clock(all)}`,
  frameCount: (count: number) => format.many(count, 'frame', 'frames'),
  frames: (done: number, total: number | null) =>
    total === null
      ? `Frame ${format.number(done)}`
      : `Frame ${format.number(done)} of ${format.number(total)}`,
  readingFirstFrames: 'Analysing the first frames',
  converting: (share: number) => (share > 0 ? `Converting ${format.percent(share)}` : 'Converting'),
  convertedFirst:
    'This browser cannot decode this video, so the page converts it first, which takes much longer than playing it; a server of your own is faster.',
  applying: 'Applying the edits',
  perSecond: (frames: number) => `${format.decimal(frames, 1)} frames/s`,
  left: (seconds: number) => `${format.roughDuration(seconds)} left`,
  stop: 'Stop',
  failedTitle: 'This video has no result',
  unplayable: 'This browser cannot play the original. You can play the result when it is done.',
  muting: {
    track: 'Audio of the video',
    hint: 'Drag to mute a part. M starts and ends a part at the current position.',
    begin: 'Mute from here',
    finish: 'Mute until here',
    part: (start: number, end: number) => `Muted from ${format.tenths(start)} to ${format.tenths(end)}`,
    start: 'Start of the muted part',
    end: 'End of the muted part',
    at: (at: number) => format.tenths(at),
    bleepPart: (start: number, end: number) => `Bleep from ${format.tenths(start)} to ${format.tenths(end)}`,
    instead: 'Instead of the sound',
    silence: 'Silence',
    bleep: 'Bleep',
    reason: 'Why it is muted',
  },
  framesLost: (count: number) =>
    `${format.many(count, 'frame', 'frames')} of the original could not be read and ${count === 1 ? 'is' : 'are'} missing from the result.`,
  framesLostUncertain:
    'The original is damaged, and the number of frames that are missing from the result is not known exactly.',
  audioTracksReencoded: (count: number) =>
    `${format.many(count, 'audio track was', 'audio tracks were')} encoded again because MP4 does not support the original format.`,
  audioTracksDropped: (count: number) =>
    `${format.many(count, 'audio track is', 'audio tracks are')} missing from the result because MP4 does not support the format and it could not be encoded again.`,
  toneMapped: (transfer: string) =>
    `The original is in high dynamic range (${transfer}). The result is in standard range, which every player shows.`,
  span: (from: number, to: number) =>
    format.clock(from) === format.clock(to)
      ? format.clock(from)
      : `${format.clock(from)} – ${format.clock(to)}`,
  tracks: 'Objects in this video',
  tracksHint:
    'Clear the check box of each object that should stay visible, then apply the edits. Check the result: where persons cross, one entry may contain two of them.',
  noTracks: 'No objects found.',
  moreTracks: (count: number) => `Show ${format.number(count)} more`,
  track: (name: string, span: string) => `Hide ${name}, ${span}`,
  reason: (name: string, span: string) => `Reason: ${name}, ${span}`,
  change: (name: string, span: string) => `Change place or class: ${name}, ${span}`,
  showTrack: (name: string, span: string) => `Go to ${name}, ${span}`,
  drawn: 'Drawn boxes',
  drawnBox: 'Drawn box',
  drawBox: 'Draw a box',
  drawBoxTitle: 'Pause and draw a box around an object that was not found',
  drawHint: (hasPolygon: boolean) =>
    `Drag to draw, move or resize${hasPolygon ? '; click to set the corners of a polygon' : ''}. Keys: arrows move, Shift and arrows resize, Enter hides, Escape cancels.`,
  hideBox: 'Hide from here on',
  changeTrack: 'Change',
  cancel: 'Cancel',
  range: {
    add: (name: string, span: string) => `Set a time range: ${name}, ${span}`,
    addVisible: 'Keep visible for a time range',
    addHidden: 'Hide for a time range',
    addToBox: (span: string) => `Set a time range: drawn box, ${span}`,
    addBox: 'Set when the box starts and ends',
    visible: 'Visible',
    hidden: 'Hidden',
    box: 'Hidden, even if tracking loses the object',
    from: (at: number) => `from ${format.tenths(at)}`,
    until: (at: number) => `to ${format.tenths(at)}`,
    untilEnd: 'to the end',
    set: (end: string) => `${end}: set to the current position`,
    remove: 'Whole video',
  },
  always: {
    list: 'Areas always hidden',
    hide: 'Always hide here',
    whole: 'whole video',
    goTo: (span: string) => `Go to the area, ${span}`,
    method: (span: string) => `Method for the area, ${span}`,
    reason: (span: string) => `Reason for the area, ${span}`,
    range: 'Hidden',
    add: (span: string) => `Set a time range: area, ${span}`,
    remove: (span: string) => `Remove the area, ${span}`,
  },
  removeBox: (span: string) => `Remove drawn box, ${span}`,
  goToBox: (span: string) => `Go to drawn box, ${span}`,
  boxFrom: (at: number) => `from ${format.clock(at)}`,
  boxLost: (at: number, until: number) =>
    `Tracking lost the object at ${format.clock(at)}. The box hides it until ${format.clock(until)}. If the object appears later, draw another box there.`,
  boxStays: (at: number, until: number) =>
    `Tracking lost the object at ${format.clock(at)}. The box stays at the last position until ${format.clock(until)}.`,
  notApplied: 'The edits are not applied yet. You can download the video after you apply them.',
  notAppliedFailed: 'The edits could not be applied. The video has not changed.',
  editsReset: 'This video was processed again. All detected objects are hidden again.',
  editsWillReset: 'Other settings process the video again. All detected objects will then be hidden again.',
};

export interface ToolTexts {
  readonly name: string;
  readonly title: string;
  readonly hint: string;
}

/** Texts of the image editor. */
export const englishReview = {
  edit: 'Edit',
  editTitle: 'Change what is hidden (E)',
  bar: 'Edit',
  tool: 'Tool',
  tools: {
    select: {
      name: 'Select',
      title: 'Select (V)',
      hint: 'Select an object to change it.',
    },
    box: {
      name: 'Hide a rectangle',
      title: 'Hide a rectangle (R)',
      hint: 'Drag over the area to hide, or press Enter to place a rectangle.',
    },
    ellipse: {
      name: 'Hide an ellipse',
      title: 'Hide an ellipse (C)',
      hint: 'Drag over the area to hide, or press Enter to place an ellipse.',
    },
    brush: {
      name: 'Hide with a brush',
      title: 'Hide with a brush (P)',
      hint: 'Paint over the area to hide, or press Enter to place a dot.',
    },
    always: {
      name: 'Always hide an area',
      title: 'Always hide an area (A)',
      hint: 'Drag over the area or click its corners, the first one last. Enter places a rectangle.',
    },
    keep: {
      name: 'Keep an area visible',
      title: 'Keep an area visible (K)',
      hint: 'Drag over the area to keep visible, or press Enter to place a rectangle.',
    },
  } as Readonly<Record<Tool, ToolTexts>>,
  undo: 'Undo',
  undoTitle: 'Undo (Ctrl+Z)',
  redo: 'Redo',
  redoTitle: 'Redo (Ctrl+Shift+Z)',
  drawnClass: 'Object type',
  brushSize: 'Brush size',
  hidden: 'Hidden',
  objectClass: 'Object type',
  objectMethod: 'Method',
  sameMethod: 'As in the settings',
  reason: 'Reason',
  noReason: 'No reason',
  reasonOfClass: (code: string) => `${code} (object type)`,
  delete: 'Delete',
  deleteTitle: 'Delete (Del)',
  keptArea: 'Visible area',
  alwaysHidden: 'Always hidden',
  crossing: 'The sides must not cross. Escape removes the corners.',
  drawnObject: (name: string) => `${name}, drawn`,
  switchedOff: (label: string) => `${label}, not hidden`,
  copy: (count: number) => `Copy areas to ${format.many(count, 'image', 'images')}`,
  copyTitle: 'Copy the drawn areas to all images of the same size',
  changing: 'Applying the edits …',
  notApplied: 'The edits could not be applied. They are kept: try again.',
  uncertain: {
    button: 'Uncertain',
    title: 'Decide about uncertain objects one by one (F2)',
    count: (count: number) => format.number(count),
  },
  forAll: {
    button: 'For all …',
    buttonTitle: 'Hide all objects of this type in all images in the same way',
    title: (kind: string) => `${kind} in all images`,
    visible: 'Keep visible',
    changes: (objects: number, images: number) =>
      objects === 0
        ? 'no changes'
        : `changes ${format.many(objects, 'object', 'objects')} in ${format.many(images, 'image', 'images')}`,
    reprocessed: (count: number) => `${format.many(count, 'file is', 'files are')} processed again`,
    others:
      'Does not change videos, or images of a server that is no longer selected. Applies to images that you add later.',
    apply: (images: number) => `Change ${format.many(images, 'image', 'images')}`,
    done: (images: number) => `Changed in ${format.many(images, 'image', 'images')}.`,
    undo: 'Undo for all',
  },
  announcements: {
    switched: (name: string, isOff: boolean) => `${name}: ${isOff ? 'not hidden' : 'hidden'}`,
    changed: (name: string) => `${name}: changed`,
    deleted: (name: string) => `${name}: deleted`,
    drawn: 'Area hidden',
    kept: 'Area kept visible',
    always: 'Area always hidden',
    copied: 'Areas copied',
    undone: 'Undone',
    redone: 'Redone',
  },
};

export type ReviewMessages = typeof englishReview;
