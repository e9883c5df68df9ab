import type { ReviewMessages, englishVideo } from './en-review';
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
  convertedFirst:
    'Dieser Browser kann das Video nicht lesen. Deshalb wandelt die Seite es zuerst um, was viel länger dauert als das Abspielen; ein eigener Server ist schneller.',
  applying: 'Änderungen werden angewendet',
  perSecond: (frames) => `${format.decimal(frames, 1)} Bilder/s`,
  left: (seconds) => `noch ${format.roughDuration(seconds)}`,
  stop: 'Abbrechen',
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
    bleepPart: (start, end) => `Piepton von ${format.tenths(start)} bis ${format.tenths(end)}`,
    instead: 'Statt des Tons',
    silence: 'Stille',
    bleep: 'Piepton',
    reason: 'Warum der Ton fehlt',
  },
  framesLost: (count) =>
    `${format.many(count, 'Einzelbild', 'Einzelbilder')} des Originals ${count === 1 ? 'konnte' : 'konnten'} nicht gelesen werden und ${count === 1 ? 'fehlt' : 'fehlen'} im Ergebnis.`,
  framesLostUncertain:
    'Das Original ist beschädigt. Die Anzahl der Einzelbilder, die im Ergebnis fehlen, ist nicht genau bekannt.',
  audioTracksReencoded: (count) =>
    `${format.many(count, 'Tonspur wurde', 'Tonspuren wurden')} neu kodiert, weil MP4 das ursprüngliche Format nicht unterstützt.`,
  audioTracksDropped: (count) =>
    `${format.many(count, 'Tonspur fehlt', 'Tonspuren fehlen')} im Ergebnis, weil MP4 das Format nicht unterstützt und es nicht neu kodiert werden konnte.`,
  toneMapped: (transfer) =>
    `Das Original hat hohen Dynamikumfang (HDR, ${transfer}). Das Ergebnis hat den üblichen, den jedes Programm zeigt.`,
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
  reason: (name, span) => `Grund: ${name}, ${span}`,
  change: (name, span) => `Ort oder Klasse ändern: ${name}, ${span}`,
  showTrack: (name, span) => `Zu ${name}, ${span}`,
  drawn: 'Gezeichnete Rahmen',
  drawnBox: 'Gezeichneter Rahmen',
  drawBox: 'Rahmen zeichnen',
  drawBoxTitle: 'Anhalten und einen Rahmen um ein nicht gefundenes Objekt zeichnen',
  drawHint: (hasPolygon: boolean) =>
    `Ziehen Sie, um den Rahmen zu zeichnen, zu verschieben oder seine Größe zu ändern${hasPolygon ? '; klicken Sie, um die Ecken eines Vielecks zu setzen' : ''}. Tasten: Pfeile verschieben, Umschalt und Pfeile ändern die Größe, Eingabe verbirgt, Esc bricht ab.`,
  hideBox: 'Ab hier verbergen',
  changeTrack: 'Ändern',
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
  always: {
    list: 'Immer verborgene Bereiche',
    hide: 'Hier immer verbergen',
    whole: 'ganzes Video',
    goTo: (span) => `Zum Bereich, ${span}`,
    method: (span) => `Methode für den Bereich, ${span}`,
    reason: (span) => `Grund für den Bereich, ${span}`,
    range: 'Verborgen',
    add: (span) => `Zeitraum festlegen: Bereich, ${span}`,
    remove: (span) => `Bereich entfernen, ${span}`,
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

/** Texts of the image editor, in German. */
export const germanReview: ReviewMessages = {
  edit: 'Bearbeiten',
  editTitle: 'Ändern, was verborgen wird (E)',
  bar: 'Bearbeiten',
  tool: 'Werkzeug',
  tools: {
    select: {
      name: 'Auswählen',
      title: 'Auswählen (V)',
      hint: 'Wählen Sie ein Objekt aus, um es zu ändern.',
    },
    box: {
      name: 'Rechteck verbergen',
      title: 'Rechteck verbergen (R)',
      hint: 'Ziehen Sie über den Bereich, der verborgen werden soll. Die Eingabetaste setzt ein Rechteck.',
    },
    ellipse: {
      name: 'Ellipse verbergen',
      title: 'Ellipse verbergen (C)',
      hint: 'Ziehen Sie über den Bereich, der verborgen werden soll. Die Eingabetaste setzt eine Ellipse.',
    },
    brush: {
      name: 'Mit dem Pinsel verbergen',
      title: 'Mit dem Pinsel verbergen (P)',
      hint: 'Malen Sie über den Bereich, der verborgen werden soll. Die Eingabetaste setzt einen Punkt.',
    },
    always: {
      name: 'Bereich immer verbergen',
      title: 'Bereich immer verbergen (A)',
      hint: 'Ziehen Sie über den Bereich oder klicken Sie auf seine Ecken, zuletzt auf die erste. Die Eingabetaste setzt ein Rechteck.',
    },
    keep: {
      name: 'Bereich sichtbar lassen',
      title: 'Bereich sichtbar lassen (K)',
      hint: 'Ziehen Sie über den Bereich, der sichtbar bleiben soll. Die Eingabetaste setzt ein Rechteck.',
    },
  },
  undo: 'Rückgängig',
  undoTitle: 'Rückgängig (Strg+Z)',
  redo: 'Wiederholen',
  redoTitle: 'Wiederholen (Strg+Umschalt+Z)',
  drawnClass: 'Objektart',
  brushSize: 'Pinselgröße',
  hidden: 'Verborgen',
  objectClass: 'Objektart',
  objectMethod: 'Methode',
  sameMethod: 'Wie eingestellt',
  reason: 'Grund',
  noReason: 'Kein Grund',
  reasonOfClass: (code) => `${code} (Objektart)`,
  delete: 'Löschen',
  deleteTitle: 'Löschen (Entf)',
  keptArea: 'Sichtbarer Bereich',
  alwaysHidden: 'Immer verborgen',
  crossing: 'Die Seiten dürfen sich nicht kreuzen. Esc entfernt die Ecken.',
  drawnObject: (name) => `${name}, gezeichnet`,
  switchedOff: (label) => `${label}, nicht verborgen`,
  copy: (count) => `Bereiche in ${format.many(count, 'Bild', 'Bilder')} kopieren`,
  copyTitle: 'Die gezeichneten Bereiche in alle Bilder derselben Größe kopieren',
  changing: 'Änderungen werden angewendet …',
  notApplied:
    'Die Änderungen konnten nicht angewendet werden. Sie bleiben erhalten: Versuchen Sie es erneut.',
  uncertain: {
    button: 'Unsicher',
    title: 'Über unsichere Objekte einzeln entscheiden (F2)',
    count: (count) => format.number(count),
  },
  forAll: {
    button: 'Für alle …',
    buttonTitle: 'Alle Objekte dieser Art in allen Bildern auf dieselbe Weise verbergen',
    title: (kind) => `${kind} in allen Bildern`,
    visible: 'Sichtbar lassen',
    changes: (objects, images) =>
      objects === 0
        ? 'keine Änderungen'
        : `ändert ${format.many(objects, 'Objekt', 'Objekte')} in ${format.many(images, 'Bild', 'Bildern')}`,
    reprocessed: (count) => `${format.many(count, 'Datei wird', 'Dateien werden')} erneut verarbeitet`,
    others:
      'Ändert keine Videos und keine Bilder eines Servers, der nicht mehr ausgewählt ist. Gilt auch für Bilder, die Sie später hinzufügen.',
    apply: (images) => `${format.many(images, 'Bild', 'Bilder')} ändern`,
    done: (images) => `In ${format.many(images, 'Bild', 'Bildern')} geändert.`,
    undo: 'Für alle rückgängig machen',
  },
  announcements: {
    switched: (name, isOff) => `${name}: ${isOff ? 'nicht verborgen' : 'verborgen'}`,
    changed: (name) => `${name}: geändert`,
    deleted: (name) => `${name}: gelöscht`,
    drawn: 'Bereich verborgen',
    kept: 'Bereich sichtbar gelassen',
    always: 'Bereich immer verborgen',
    copied: 'Bereiche kopiert',
    undone: 'Rückgängig gemacht',
    redone: 'Wiederholt',
  },
};
