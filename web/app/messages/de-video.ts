import type { englishVideo } from './en-video';
import { format } from './de-format';

/** What is said of videos alone. */
export const germanVideo: typeof englishVideo = {
  play: 'Abspielen',
  pause: 'Anhalten',
  position: 'Stelle im Video',
  time: (at, all) => `${format.clock(at)} / ${format.clock(all)}`,
  frameCount: (count) => format.many(count, 'Einzelbild', 'Einzelbilder'),
  frames: (done, total) =>
    total === null
      ? `Einzelbild ${format.number(done)}`
      : `Einzelbild ${format.number(done)} von ${format.number(total)}`,
  lookingAhead: 'Sieht die ersten Einzelbilder an',
  converting: (share) => (share > 0 ? `Wandelt um: ${format.percent(share)}` : 'Wandelt um'),
  applying: 'Wendet die Änderungen an',
  perSecond: (frames) => `${format.decimal(frames, 1)} Bilder/s`,
  left: (seconds) => `noch ${format.roughDuration(seconds)}`,
  stop: 'Abbrechen',
  stopped: 'Sie haben es abgebrochen.',
  failedTitle: 'Für dieses Video gibt es kein Ergebnis',
  unplayable:
    'Dieser Browser kann das Original nicht abspielen. Das Ergebnis lässt sich abspielen, wenn es fertig ist.',
  framesLost: (count) =>
    `${format.many(count, 'Einzelbild des Originals war', 'Einzelbilder des Originals waren')} beschädigt und nicht lesbar: Das Ergebnis ist ohne.`,
  audioTracksReencoded: (count) =>
    `${format.many(count, 'Tonspur wurde', 'Tonspuren wurden')} neu kodiert, weil MP4-Dateien das ursprüngliche Format nicht aufnehmen.`,
  audioTracksDropped: (count) =>
    `${format.many(count, 'Tonspur fehlt', 'Tonspuren fehlen')} im Ergebnis, weil MP4-Dateien ihr Format nicht aufnehmen und es sich nicht neu kodieren ließ.`,
  span: (from, to) =>
    format.clock(from) === format.clock(to)
      ? format.clock(from)
      : `${format.clock(from)} – ${format.clock(to)}`,
  tracks: 'In diesem Video gefunden',
  tracksHint:
    'Nehmen Sie das Häkchen weg, wo etwas sichtbar bleiben soll, und wenden Sie es an. Sehen Sie das Ergebnis durch: Wo sich Personen kreuzen, kann ein Eintrag zwei von ihnen enthalten.',
  noTracks: 'Es wurde nichts gefunden, was sich ausschalten lässt.',
  moreTracks: (count) => `${format.number(count)} weitere zeigen`,
  track: (name, span) => `${name} verbergen, ${span}`,
  showTrack: (name, span) => `Zu ${name}, ${span}`,
  drawn: 'Gezeichnete Rahmen',
  drawnBox: 'Gezeichneter Rahmen',
  drawBox: 'Rahmen zeichnen',
  drawBoxTitle: 'Anhalten und einen Rahmen um etwas zeichnen, was nicht gefunden wurde',
  drawHint:
    'Ziehen zeichnet, verschiebt oder vergrößert. Tasten: Pfeile verschieben, Umschalt und Pfeile ändern die Größe, Eingabe verbirgt, Escape bricht ab.',
  hideBox: 'Von hier an verbergen',
  cancel: 'Abbrechen',
  range: {
    add: (name, span) => `Nur zeitweise: ${name}, ${span}`,
    addVisible: 'Zeitweise sichtbar lassen',
    addHidden: 'Zeitweise verbergen',
    addToBox: (span) => `Festlegen, bis wann: gezeichneter Rahmen, ${span}`,
    addBox: 'Festlegen, von wann bis wann er verbirgt',
    visible: 'Sichtbar nur',
    hidden: 'Verborgen nur',
    box: 'Verborgen, auch wenn es nicht wiedererkannt wird',
    from: (at) => `ab ${format.tenths(at)}`,
    until: (at) => `bis ${format.tenths(at)}`,
    set: (end) => `${end}: auf die gezeigte Stelle setzen`,
    remove: 'Die ganze Zeit',
  },
  removeBox: (span) => `Gezeichneten Rahmen entfernen, ${span}`,
  goToBox: (span) => `Zum gezeichneten Rahmen, ${span}`,
  boxFrom: (at) => `ab ${format.clock(at)}`,
  boxLost: (at, until) =>
    `Nach ${format.clock(at)} nicht wiedererkannt, verborgen bis ${format.clock(until)}. Ist es später noch zu sehen, zeichnen Sie dort einen weiteren Rahmen.`,
  boxStays: (at, until) =>
    `Nach ${format.clock(at)} nicht wiedererkannt, bis ${format.clock(until)} an der letzten Stelle verborgen.`,
  notApplied: 'Noch nicht angewendet. Speichern lässt sich das Video, wenn die Änderungen angewendet sind.',
  notAppliedFailed: 'Die Änderungen ließen sich nicht anwenden. Das Video ist, wie es war.',
  searchedAgain: 'Dieses Video wurde neu durchsucht: Alles Gefundene ist wieder verborgen.',
  searchesAgain:
    'Mit anderen Einstellungen wird das Video neu durchsucht. Alles Gefundene ist dann wieder verborgen.',
};
