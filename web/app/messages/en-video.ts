import { many, percent } from './format';

const SECONDS_IN_MINUTE = 60;
const MINUTES_IN_HOUR = 60;

/** Rounded, as it is a guess. @returns for example `1 h 5 min` */
export const roughDuration = (seconds: number): string => {
  if (seconds < SECONDS_IN_MINUTE) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / SECONDS_IN_MINUTE);
  if (minutes < MINUTES_IN_HOUR) return `${minutes} min`;
  return `${Math.floor(minutes / MINUTES_IN_HOUR)} h ${minutes % MINUTES_IN_HOUR} min`;
};

/** @returns for example `1:05` or `1:00:05` */
export const clock = (seconds: number): string => {
  const whole = Math.floor(seconds);
  const two = (part: number): string => String(part).padStart(2, '0');
  const minutes = Math.floor(whole / SECONDS_IN_MINUTE);
  const hours = Math.floor(minutes / MINUTES_IN_HOUR);
  const rest = two(whole % SECONDS_IN_MINUTE);
  return hours > 0 ? `${hours}:${two(minutes % MINUTES_IN_HOUR)}:${rest}` : `${minutes}:${rest}`;
};

const TENTHS = 10;

/** @returns for example `1:05.4` */
export const tenths = (seconds: number): string => {
  const rounded = Math.round(seconds * TENTHS);
  return `${clock(rounded / TENTHS)}.${rounded % TENTHS}`;
};

/** What is said of videos alone. */
export const englishVideo = {
  play: 'Play',
  pause: 'Pause',
  position: 'Position in the video',
  time: (at: number, all: number) => `${clock(at)} / ${clock(all)}`,
  frameCount: (count: number) => many(count, 'frame', 'frames'),
  frames: (done: number, total: number | null) =>
    total === null ? `Frame ${done}` : `Frame ${done} of ${total}`,
  lookingAhead: 'Looking at the first frames',
  converting: (share: number) => (share > 0 ? `Converting ${percent(share)}` : 'Converting'),
  applying: 'Applying the changes',
  perSecond: (frames: number) => `${frames.toFixed(1)} frames/s`,
  left: (seconds: number) => `${roughDuration(seconds)} left`,
  stop: 'Stop',
  stopped: 'You stopped it.',
  failedTitle: 'This video has no result',
  unplayable: 'This browser cannot play the original. The result can be played when it is ready.',
  framesLost: (count: number) =>
    `${many(count, 'frame of the original was', 'frames of the original were')} damaged and could not be read: the result is without.`,
  audioTracksReencoded: (count: number) =>
    `${many(count, 'audio track was', 'audio tracks were')} encoded anew, because MP4 files cannot hold the original format.`,
  audioTracksDropped: (count: number) =>
    `${many(count, 'audio track is', 'audio tracks are')} left out, because MP4 files cannot hold the format and it could not be encoded anew.`,
  span: (from: number, to: number) =>
    clock(from) === clock(to) ? clock(from) : `${clock(from)} – ${clock(to)}`,
  tracks: 'Found in this video',
  tracksHint:
    'Untick what is to stay visible, then apply. Look through the result: where people cross, one entry may hold two of them.',
  noTracks: 'Nothing was found that can be switched off.',
  moreTracks: (count: number) => `Show ${count} more`,
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
    from: (at: number) => `from ${tenths(at)}`,
    until: (at: number) => `to ${tenths(at)}`,
    set: (end: string) => `${end}: set to the moment in view`,
    remove: 'All the time',
  },
  removeBox: (span: string) => `Remove drawn box, ${span}`,
  goToBox: (span: string) => `Go to drawn box, ${span}`,
  boxFrom: (at: number) => `from ${clock(at)}`,
  boxLost: (at: number, until: number) =>
    `Not recognised after ${clock(at)}, hidden until ${clock(until)}. If it is seen later, draw another box there.`,
  boxStays: (at: number, until: number) =>
    `Not recognised after ${clock(at)}, hidden where it was last until ${clock(until)}.`,
  notApplied: 'Not applied yet. The video can be saved once the changes are applied.',
  notAppliedFailed: 'The changes could not be applied. The video is as it was.',
  searchedAnew: 'This video was searched anew: all that was found is hidden again.',
  searchesAnew: 'With other settings the video is searched anew. All that is found is hidden again then.',
};
