import { GERMAN_FACTS, GERMAN_IMAGES, GERMAN_VIDEOS } from './de-files';
import { GERMAN_REFUSALS } from './de-refusals';
import type { Translated } from './translate';

/** What the page and a service say of a file or an edit, whatever is in it. */
export const GERMAN_OTHERS: readonly Translated[] = [
  ['Processing was stopped.', 'Die Verarbeitung wurde abgebrochen.'],
  ['The server cannot be reached.', 'Der Server ist nicht erreichbar.'],
  [
    'A server processed this file, and is not selected any more. Process the file again in this tab to change it.',
    'Ein Server hat diese Datei verarbeitet und ist nicht mehr ausgewählt. Um sie zu ändern, verarbeiten Sie sie in diesem Tab erneut.',
  ],
  [
    'A review edits existing results only: process files on the command line, or in a page without review.',
    'Eine Durchsicht ändert nur vorhandene Ergebnisse: Verarbeiten Sie Dateien auf der Befehlszeile oder in einer Seite ohne Durchsicht.',
  ],
  [
    'The detections that came with this file are not stored: remove it, and add both again.',
    'Die Erkennungen zu dieser Datei sind nicht gespeichert: Entfernen Sie sie, und fügen Sie beide noch einmal hinzu.',
  ],
  [
    'The file needs more memory than this tab can use. Close other tabs, use a smaller file, or process it on a server.',
    'Die Datei braucht mehr Arbeitsspeicher, als dieser Tab verwenden kann. Schließen Sie andere Tabs, verwenden Sie eine kleinere Datei, oder verarbeiten Sie sie auf einem Server.',
  ],
  ['The service answered with status {}.', 'Der Server antwortete mit dem Status {}.'],
  [
    'Something went wrong inside the service while it processed the file.',
    'Beim Verarbeiten der Datei ist ein interner Fehler aufgetreten.',
  ],
  [
    'Something went wrong inside the service while it applied the edits.',
    'Beim Anwenden der Änderungen ist ein interner Fehler aufgetreten.',
  ],
  [
    'The service stopped unexpectedly {} times while it processed the file.',
    'Die Verarbeitung der Datei endete {}-mal unerwartet.',
  ],
  [
    'The service stopped unexpectedly {} times while it applied the edits.',
    'Das Anwenden der Änderungen endete {}-mal unerwartet.',
  ],
  [
    'Processing the file took too long: the limit is {}.',
    'Die Verarbeitung der Datei dauerte zu lange: Die Grenze ist {}.',
  ],
  [
    'The person to keep visible was deleted before the file was processed.',
    'Die Person, die sichtbar bleiben soll, wurde gelöscht, bevor die Datei verarbeitet war.',
  ],
  [
    'The service has no disk space left: delete tasks that are no longer needed, then try again.',
    'Der Speicherplatz ist voll: Löschen Sie, was nicht mehr gebraucht wird, und versuchen Sie es dann noch einmal.',
  ],
  ['The service cannot write to its folders.', 'Der Server kann nicht in seine Ordner schreiben.'],
  [
    'The service cannot reach its file store: try again later.',
    'Der Server erreicht seinen Dateispeicher nicht: Versuchen Sie es später noch einmal.',
  ],
  [
    'The database of the service cannot be reached: try again in a moment.',
    'Die Datenbank des Servers ist nicht erreichbar: Versuchen Sie es gleich noch einmal.',
  ],
  ['The detections are not UTF-8 text.', 'Die Erkennungen sind kein UTF-8-Text.'],
  ['The detections are empty.', 'Die Erkennungen sind leer.'],
  ['The detections list nothing for "{}".', 'Die Erkennungen nennen nichts für „{}“.'],
  [
    'The detections are those of another file: the frames of this one have {} × {} pixels.',
    'Die Erkennungen gehören zu einer anderen Datei: Die Einzelbilder dieser haben {} × {} Pixel.',
  ],
  [
    'The detections do not list frame {} of the video.',
    'Die Erkennungen nennen Einzelbild {} des Videos nicht.',
  ],
  [
    'The detections list more frames than the video has.',
    'Die Erkennungen nennen mehr Einzelbilder, als das Video hat.',
  ],
];

/** Public sentences in German. Those of lines in a file of detections stay English, as the file's fields are. */
export const GERMAN_SENTENCES: readonly Translated[] = [
  ...GERMAN_REFUSALS,
  ...GERMAN_FACTS,
  ...GERMAN_IMAGES,
  ...GERMAN_VIDEOS,
  ...GERMAN_OTHERS,
];
