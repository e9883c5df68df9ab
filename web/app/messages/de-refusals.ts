import { ERRORS, type ErrorCode } from '#shared/api/contract/errors';
import type { Translated } from './translate';

/** Errors whose sentence is that of a file or a service, which has a row of its own. */
type OtherSentence = 'subject_gone' | 'unreadable_file' | 'task_timed_out' | 'unstorable' | 'unavailable';

/** Errors of requests that the page does not send: only who writes a program reads them. */
type OfPrograms =
  | (
      | 'unknown_path'
      | 'method_not_allowed'
      | 'range_unsatisfiable'
      | 'not_json'
      | 'not_multipart'
      | 'bad_query'
    )
  | ('bad_parameter' | 'contradictory_parameter' | 'misspelt_parameter' | 'unknown_parameter')
  | ('unknown_field' | 'missing_field' | 'unknown_object' | 'object_named_twice' | 'frame_out_of_range')
  | ('webhook_not_offered' | 'webhook_with_credentials' | 'webhook_address_refused')
  | ('webhook_header_refused' | 'webhook_header_incomplete' | 'idempotency_key_reused')
  | ('no_file' | 'several_files' | 'several_detections' | 'wrong_part_name')
  | ('image_not_video' | 'video_not_image' | 'no_masks_of_video' | 'no_candidates_of_video')
  | ('no_video_yet' | 'video_metadata_of_image' | 'nothing_anonymised' | 'mask_not_saved' | 'not_confirmed')
  | ('not_in_videos' | 'only_in_videos' | 'not_in_frame' | 'class_not_searched' | 'text_not_selected');

/** Errors of the API, with as many facts as in English. */
const REFUSALS = {
  not_admitted: 'Der Server verlangt sein Token.',
  scope_missing: 'Dem Token fehlt das Recht `{}`: Verwenden Sie eines, das es hat.',
  host_not_allowed:
    'Der Server lässt den Hostnamen {} nicht zu: Starten Sie ihn mit `--allow-host` und diesem Namen.',
  origin_not_allowed:
    'Der Server lässt keine Anfragen von Seiten unter {} zu: Starten Sie ihn mit `--allow-origin` und dieser Adresse.',
  subjects_disabled:
    'Dieser Server erkennt keine Personen wieder: Er wurde mit `--no-subjects` gestartet und verbirgt alle Gesichter.',
  unknown_task: 'Diese Aufgabe gibt es nicht mehr.',
  unknown_subject: 'Diese Person ist nicht mehr bekannt.',
  busy: 'Gerade wird eine andere Datei verarbeitet: Versuchen Sie es später noch einmal.',
  edits_changed:
    'Die Änderungen wurden inzwischen von anderer Seite geändert: Öffnen Sie das Ergebnis noch einmal.',
  body_too_large: 'Die Anfrage ist zu groß: Die Grenze ist {}.',
  upload_too_large: 'Die Datei ist zu groß: Die Grenze ist {}.',
  detections_too_large: 'Die Datei mit den Erkennungen ist zu groß: Die Grenze ist {}.',
  image_too_large: 'Die Bilddatei ist zu groß: Die Grenze ist {}.',
  unknown_shown_subject: 'Die Person, die sichtbar bleiben soll, ist nicht mehr bekannt.',
  no_photo: 'Es fehlen Fotos: Wählen Sie 1 bis {}.',
  too_many_photos: 'Das sind {} Fotos: Wählen Sie höchstens {}.',
  photo_without_face: 'Foto {} zeigt kein Gesicht: Wählen Sie Fotos vom Gesicht der Person.',
  photo_with_faces: 'Foto {} zeigt {} Gesichter: Wählen Sie Fotos, die nur eine Person zeigen.',
  photo_of_small_face: 'Das Gesicht auf Foto {} ist zu klein: Es hat {} Pixel, und mindestens {} sind nötig.',
  photo_of_turned_face:
    'Das Gesicht auf Foto {} ist von der Seite zu sehen: Wählen Sie Fotos, die es von vorn zeigen.',
  class_not_offered: 'Die Objektart `{}` gibt es hier nicht: Der Server wurde mit {} gestartet.',
  no_class_left: 'Keine Objektart ist ausgewählt: Wählen Sie mindestens eine von {}.',
  empty_file: 'Die Datei ist leer.',
  upload_broken: 'Die Übertragung endete, bevor sie vollständig war.',
  upload_too_slow:
    'Die Datei kommt zu langsam an: Nötig sind Daten mindestens alle {} s und im Durchschnitt {} pro Sekunde.',
  deleted_meanwhile: 'Die Aufgabe wurde gelöscht, bevor sie fertig war.',
  task_not_done: 'Die Aufgabe ist nicht fertig: Ihr Status ist `{}`.',
  task_failed: 'Die Aufgabe ist fehlgeschlagen: {}',
  files_deleted: 'Die Dateien dieser Aufgabe wurden gelöscht.',
  not_released: 'Das Ergebnis muss erst freigegeben werden.',
  no_release_gate:
    'Ergebnisse brauchen hier keine Freigabe: Der Server wurde ohne `--release-gate` gestartet.',
  edits_pending: 'Änderungen dieser Datei warten oder laufen: Geben Sie sie danach frei.',
  not_editable:
    'Dieses Ergebnis lässt sich nicht bearbeiten, weil nicht gespeichert wurde, was verborgen ist: Verarbeiten Sie die Datei noch einmal.',
  edits_too_large: 'Die Änderungen bedecken zu viele Pixel: Alle {} zusammen dürfen höchstens {} bedecken.',
  audio_not_mutable:
    'Teile des Tons im Format {} können hier nicht stummgeschaltet werden: Entfernen Sie den ganzen Ton.',
  audio_not_bleepable: 'Ein Piepton ist bei Ton im Format {} nicht möglich: Schalten Sie diese Teile stumm.',
  muted_differently: '`{}` darf sich nicht mit `{}` überschneiden: Sie unterscheiden sich in Ton oder Grund.',
  edit_stopped:
    'Die Änderungen wurden abgebrochen, bevor sie angewendet waren. Das Ergebnis ist unverändert.',
  edit_failed: 'Die Änderungen wurden nicht angewendet, und das Ergebnis ist unverändert: {}',
  put_off: 'Der Server fährt herunter: Nach dem nächsten Start setzt er die Aufgabe fort.',
  internal: 'Ein interner Fehler ist aufgetreten; seine Ursache steht im Protokoll des Servers.',
  queue_full:
    'Die Warteschlange ist voll: Versuchen Sie es noch einmal, wenn Dateien daraus verarbeitet sind.',
  disk_reserve:
    'Der Server hat zu wenig freien Speicherplatz für diese Datei: Löschen Sie Aufgaben, die nicht mehr gebraucht werden, und versuchen Sie es dann noch einmal.',
  too_many_connections:
    'Der Server hat so viele Verbindungen, wie er haben darf: Versuchen Sie es gleich noch einmal.',
  too_many_event_streams:
    'So viele Programme, wie dürfen, verfolgen Aufgaben: Versuchen Sie es gleich noch einmal.',
  stopping: 'Der Server fährt herunter und nimmt keine Dateien mehr an: Versuchen Sie es gleich noch einmal.',
  no_page: 'Gerade antwortet keine geöffnete Seite, und nichts wurde gesendet: Versuchen Sie es noch einmal.',
} as const satisfies Record<Exclude<ErrorCode, OtherSentence | OfPrograms>, string>;

/** The English sentence of an error, as a row has it. Sizes are one fact, with their unit. */
const englishOf = (code: ErrorCode): string => {
  const sentence = ERRORS[code].sentence as (...facts: readonly string[]) => string;
  return sentence('{}', '{}', '{}').replaceAll('{} bytes', '{}');
};

/** Errors of the API in German. */
export const GERMAN_REFUSALS: readonly Translated[] = Object.entries(REFUSALS).map(([code, german]) => [
  englishOf(code as keyof typeof REFUSALS),
  german,
]);
