import type { englishVideo } from './en-video';
import { format } from './de-format';

/** Texts that only videos need, in German. */
export const germanVideo: typeof englishVideo = {
  play: 'Abspielen',
  pause: 'Anhalten',
  position: 'Position im Video',
  time: (at, all) => `${format.clock(at)} / ${format.clock(all)}`,
  frameCount: (count) => format.many(count, 'Einzelbild', 'Einzelbilder'),
  frames: (done, total) =>
    total === null
      ? `Einzelbild ${format.number(done)}`
      : `Einzelbild ${format.number(done)} von ${format.number(total)}`,
  readingFirstFrames: 'Erste Einzelbilder werden analysiert',
  converting: (share) => (share > 0 ? `Wird umgewandelt: ${format.percent(share)}` : 'Wird umgewandelt'),
  applying: 'Änderungen werden angewendet',
  perSecond: (frames) => `${format.decimal(frames, 1)} Bilder/s`,
  left: (seconds) => `noch ${format.roughDuration(seconds)}`,
  stop: 'Abbrechen',
  stopped: 'Die Verarbeitung wurde abgebrochen.',
  failedTitle: 'Für dieses Video gibt es kein Ergebnis',
  unplayable:
    'Dieser Browser kann das Original nicht abspielen. Das Ergebnis können Sie abspielen, sobald es fertig ist.',
  muting: {
    track: 'Ton des Videos',
    hint: 'Ziehen Sie, um einen Abschnitt stummzuschalten. M beginnt und beendet einen Abschnitt an der aktuellen Stelle.',
    begin: 'Ab hier stumm',
    finish: 'Bis hier stumm',
    part: (start, end) => `Stumm von ${format.tenths(start)} bis ${format.tenths(end)}`,
    start: 'Anfang des stummen Abschnitts',
    end: 'Ende des stummen Abschnitts',
    at: (at) => format.tenths(at),
  },
  framesLost: (count) =>
    `${format.many(count, 'Einzelbild', 'Einzelbilder')} des Originals ${count === 1 ? 'konnte' : 'konnten'} nicht gelesen werden und ${count === 1 ? 'fehlt' : 'fehlen'} im Ergebnis.`,
  framesLostUncertain:
    'Das Original ist beschädigt. Die Anzahl der Einzelbilder, die im Ergebnis fehlen, ist nicht genau bekannt.',
  audioTracksReencoded: (count) =>
    `${format.many(count, 'Tonspur wurde', 'Tonspuren wurden')} neu kodiert, weil MP4 das ursprüngliche Format nicht unterstützt.`,
  audioTracksDropped: (count) =>
    `${format.many(count, 'Tonspur fehlt', 'Tonspuren fehlen')} im Ergebnis, weil MP4 das Format nicht unterstützt und es nicht neu kodiert werden konnte.`,
  span: (from, to) =>
    format.clock(from) === format.clock(to)
      ? format.clock(from)
      : `${format.clock(from)} – ${format.clock(to)}`,
  tracks: 'Objekte in diesem Video',
  tracksHint:
    'Entfernen Sie das Häkchen bei jedem Objekt, das sichtbar bleiben soll, und wenden Sie die Änderung an. Prüfen Sie das Ergebnis: Wo sich Personen kreuzen, kann ein Eintrag zwei Personen enthalten.',
  noTracks: 'Keine Objekte gefunden.',
  moreTracks: (count) => `${format.number(count)} weitere anzeigen`,
  track: (name, span) => `${name} verbergen, ${span}`,
  showTrack: (name, span) => `Zu ${name}, ${span}`,
  drawn: 'Gezeichnete Rahmen',
  drawnBox: 'Gezeichneter Rahmen',
  drawBox: 'Rahmen zeichnen',
  drawBoxTitle: 'Anhalten und einen Rahmen um ein nicht gefundenes Objekt zeichnen',
  drawHint:
    'Ziehen Sie, um den Rahmen zu zeichnen, zu verschieben oder seine Größe zu ändern. Tasten: Pfeile verschieben, Umschalt und Pfeile ändern die Größe, Eingabe verbirgt, Esc bricht ab.',
  hideBox: 'Ab hier verbergen',
  cancel: 'Abbrechen',
  range: {
    add: (name, span) => `Zeitraum festlegen: ${name}, ${span}`,
    addVisible: 'Für einen Zeitraum sichtbar lassen',
    addHidden: 'Für einen Zeitraum verbergen',
    addToBox: (span) => `Zeitraum festlegen: gezeichneter Rahmen, ${span}`,
    addBox: 'Anfang und Ende des Rahmens festlegen',
    visible: 'Sichtbar',
    hidden: 'Verborgen',
    box: 'Verborgen, auch wenn die Verfolgung das Objekt verliert',
    from: (at) => `von ${format.tenths(at)}`,
    until: (at) => `bis ${format.tenths(at)}`,
    untilEnd: 'bis zum Ende',
    set: (end) => `${end}: auf die aktuelle Position setzen`,
    remove: 'Ganzes Video',
  },
  removeBox: (span) => `Gezeichneten Rahmen entfernen, ${span}`,
  goToBox: (span) => `Zum gezeichneten Rahmen, ${span}`,
  boxFrom: (at) => `ab ${format.clock(at)}`,
  boxLost: (at, until) =>
    `Die Verfolgung hat das Objekt bei ${format.clock(at)} verloren. Der Rahmen verbirgt es bis ${format.clock(until)}. Erscheint das Objekt später wieder, zeichnen Sie dort einen weiteren Rahmen.`,
  boxStays: (at, until) =>
    `Die Verfolgung hat das Objekt bei ${format.clock(at)} verloren. Der Rahmen bleibt bis ${format.clock(until)} an der letzten Position.`,
  notApplied: 'Die Änderungen sind noch nicht angewendet. Danach können Sie das Video herunterladen.',
  notAppliedFailed: 'Die Änderungen konnten nicht angewendet werden. Das Video ist unverändert.',
  editsReset: 'Dieses Video wurde erneut verarbeitet. Alle erkannten Objekte sind wieder verborgen.',
  editsWillReset:
    'Mit anderen Einstellungen wird das Video erneut verarbeitet. Danach sind alle erkannten Objekte wieder verborgen.',
};
