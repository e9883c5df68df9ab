import { format } from './en-format';

/** What is said of videos alone. */
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
  lookingAhead: 'Looking at the first frames',
  converting: (share: number) => (share > 0 ? `Converting ${format.percent(share)}` : 'Converting'),
  applying: 'Applying the changes',
  perSecond: (frames: number) => `${format.decimal(frames, 1)} frames/s`,
  left: (seconds: number) => `${format.roughDuration(seconds)} left`,
  stop: 'Stop',
  stopped: 'You stopped it.',
  failedTitle: 'This video has no result',
  unplayable: 'This browser cannot play the original. The result can be played when it is ready.',
  framesLost: (count: number) =>
    `${format.many(count, 'frame of the original was', 'frames of the original were')} damaged and could not be read: the result is without.`,
  audioTracksReencoded: (count: number) =>
    `${format.many(count, 'audio track was', 'audio tracks were')} encoded anew, because MP4 files cannot hold the original format.`,
  audioTracksDropped: (count: number) =>
    `${format.many(count, 'audio track is', 'audio tracks are')} left out, because MP4 files cannot hold the format and it could not be encoded anew.`,
  span: (from: number, to: number) =>
    format.clock(from) === format.clock(to)
      ? format.clock(from)
      : `${format.clock(from)} – ${format.clock(to)}`,
  tracks: 'Found in this video',
  tracksHint:
    'Untick what is to stay visible, then apply. Look through the result: where people cross, one entry may hold two of them.',
  noTracks: 'Nothing was found that can be switched off.',
  moreTracks: (count: number) => `Show ${format.number(count)} more`,
  track: (name: string, span: string) => `Hide ${name}, ${span}`,
  showTrack: (name: string, span: string) => `Go to ${name}, ${span}`,
  drawn: 'Drawn boxes',
  drawnBox: 'Drawn box',
  drawBox: 'Draw a box',
  drawBoxTitle: 'Pause, and draw a box around something that was not found',
  drawHint:
    'Drag to draw, move or resize. Keys: arrows move, Shift and arrows resize, Enter hides, Escape cancels.',
  hideBox: 'Hide from here on',
  cancel: 'Cancel',
  range: {
    add: (name: string, span: string) => `Only for a while: ${name}, ${span}`,
    addVisible: 'Leave visible for a while',
    addHidden: 'Hide for a while',
    addToBox: (span: string) => `Say until when: drawn box, ${span}`,
    addBox: 'Say from when until when it is hidden',
    visible: 'Visible only',
    hidden: 'Hidden only',
    box: 'Hidden, even if it is not recognised',
    from: (at: number) => `from ${format.tenths(at)}`,
    until: (at: number) => `to ${format.tenths(at)}`,
    set: (end: string) => `${end}: set to the moment in view`,
    remove: 'All the time',
  },
  removeBox: (span: string) => `Remove drawn box, ${span}`,
  goToBox: (span: string) => `Go to drawn box, ${span}`,
  boxFrom: (at: number) => `from ${format.clock(at)}`,
  boxLost: (at: number, until: number) =>
    `Not recognised after ${format.clock(at)}, hidden until ${format.clock(until)}. If it is seen later, draw another box there.`,
  boxStays: (at: number, until: number) =>
    `Not recognised after ${format.clock(at)}, hidden where it was last until ${format.clock(until)}.`,
  notApplied: 'Not applied yet. The video can be saved once the changes are applied.',
  notAppliedFailed: 'The changes could not be applied. The video is as it was.',
  searchedAgain: 'This video was searched anew: all that was found is hidden again.',
  searchesAgain: 'With other settings the video is searched anew. All that is found is hidden again then.',
};
