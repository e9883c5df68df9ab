import { clock, roughDuration, type englishVideo } from './en-video';
import { many } from './format';

/** What is said of videos alone. */
export const germanVideo: typeof englishVideo = {
  play: 'Abspielen',
  pause: 'Anhalten',
  position: 'Stelle im Video',
  time: (at, all) => `${clock(at)} / ${clock(all)}`,
  frameCount: (count) => many(count, 'Einzelbild', 'Einzelbilder'),
  frames: (done, total) => (total === null ? `Einzelbild ${done}` : `Einzelbild ${done} von ${total}`),
  lookingAhead: 'Sieht die ersten Einzelbilder an',
  perSecond: (frames) => `${frames.toFixed(1).replace('.', ',')} Bilder/s`,
  left: (seconds) => `noch ${roughDuration(seconds)}`,
  stop: 'Abbrechen',
  stopped: 'Sie haben es abgebrochen.',
  failedTitle: 'Für dieses Video gibt es kein Ergebnis',
  unplayable:
    'Dieser Browser kann das Original nicht abspielen. Das Ergebnis lässt sich abspielen, wenn es fertig ist.',
  framesLost: (count) =>
    `${many(count, 'Einzelbild des Originals war', 'Einzelbilder des Originals waren')} beschädigt und nicht lesbar: Das Ergebnis ist ohne.`,
  audioTracksReencoded: (count) =>
    `${many(count, 'Tonspur wurde', 'Tonspuren wurden')} neu kodiert, weil MP4-Dateien das ursprüngliche Format nicht aufnehmen.`,
  audioTracksDropped: (count) =>
    `${many(count, 'Tonspur fehlt', 'Tonspuren fehlen')} im Ergebnis, weil MP4-Dateien ihr Format nicht aufnehmen und es sich nicht neu kodieren ließ.`,
};
