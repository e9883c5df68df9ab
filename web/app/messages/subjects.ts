import { useLanguage, type Language } from '../messages';
import { format as de } from './de-format';
import { format as en } from './en-format';

/** Texts of the dialogs about the person who stays visible. They are loaded with the dialogs. */
const english = {
  title: 'Keep one person visible',
  lead: 'Faces that are similar to the sample photos stay visible in all files. All other faces are hidden. If the comparison is uncertain, the face is hidden.',
  consent: 'Get the consent of this person first: a comparison of faces processes biometric data.',
  local: 'Photos and biometric data stay in this tab and are deleted when it is closed.',
  onServer: (address: string) =>
    `Files are processed by the server ${address}: the photos are sent to it. It stores the biometric data until you deselect the server or close this tab.`,
  advice: 'Use at least five different photos that show only this person. One photo is often not enough.',
  photos: 'Sample photos',
  photo: (index: number) => `Sample photo ${en.number(index)}`,
  addPhotos: 'Add photos',
  removePhoto: (index: number) => `Remove sample photo ${en.number(index)}`,
  noPhotos: 'No photos yet.',
  lost: 'The sample photos of an earlier visit are no longer available.',
  start: 'Keep this person visible',
  starting: 'Comparing …',
  stop: 'Hide everyone again',
  unreachable: 'The photos could not be processed. Try again.',
  checkFrames:
    'The photos were taken from the video. Remove all photos that do not show this person: where persons cross, one object may contain two of them.',
  span: (from: number, until: number) => `${en.tenths(from)}\u00a0–\u00a0${en.tenths(until)}`,
  visibleAt: (spans: readonly string[], more: number) =>
    `Visible as the chosen person: ${en.facts(spans)}${more > 0 ? ` and ${en.many(more, 'more time', 'more times')}` : ''}`,
  noCrop: 'The browser cannot show this file. Add photos of the person instead.',
  visible: {
    title: 'Faces that will be visible',
    lead: 'These faces are not hidden in the files that you export. Check that each face belongs to the person of the sample, or was made visible on purpose.',
    reading: 'Reading the results …',
    none: 'No face will be visible.',
    sample: 'Sample',
    face: (file: string) => `Visible face in ${file}`,
    confidence: (share: number) => `Similarity ${en.percent(share)}`,
    byHand: 'Made visible by hand',
    hide: 'Hide',
    hideIn: (file: string) => `Hide the face in ${file}`,
    cannotHide: 'This result cannot be edited. Hide everyone in the settings, or process the file again.',
    waiting: 'Applying the edits …',
    failed: 'The results could not be read. Nothing was exported.',
    exportNow: 'Export',
  },
};

const german: typeof english = {
  title: 'Eine Person sichtbar lassen',
  lead: 'Gesichter, die den Beispielfotos ähnlich sind, bleiben in allen Dateien sichtbar. Alle anderen Gesichter werden verborgen. Ist der Vergleich unsicher, wird das Gesicht verborgen.',
  consent:
    'Holen Sie zuerst die Einwilligung dieser Person ein: Ein Vergleich von Gesichtern verarbeitet biometrische Daten.',
  local: 'Fotos und biometrische Daten bleiben in diesem Tab und werden gelöscht, wenn er geschlossen wird.',
  onServer: (address) =>
    `Der Server ${address} verarbeitet die Dateien: Die Fotos werden an ihn gesendet. Er speichert die biometrischen Daten, bis Sie den Server abwählen oder diesen Tab schließen.`,
  advice:
    'Verwenden Sie mindestens fünf verschiedene Fotos, die nur diese Person zeigen. Ein Foto genügt oft nicht.',
  photos: 'Beispielfotos',
  photo: (index) => `Beispielfoto ${de.number(index)}`,
  addPhotos: 'Fotos hinzufügen',
  removePhoto: (index) => `Beispielfoto ${de.number(index)} entfernen`,
  noPhotos: 'Noch keine Fotos.',
  lost: 'Die Beispielfotos eines früheren Besuchs sind nicht mehr verfügbar.',
  start: 'Diese Person sichtbar lassen',
  starting: 'Wird verglichen …',
  stop: 'Wieder alle verbergen',
  unreachable: 'Die Fotos konnten nicht verarbeitet werden. Versuchen Sie es noch einmal.',
  checkFrames:
    'Die Fotos stammen aus dem Video. Entfernen Sie alle Fotos, die nicht diese Person zeigen: Wo sich Personen kreuzen, kann ein Objekt zwei von ihnen enthalten.',
  span: (from, until) => `${de.tenths(from)}\u00a0–\u00a0${de.tenths(until)}`,
  visibleAt: (spans, more) =>
    `Sichtbar als die gewählte Person: ${de.facts(spans)}${more > 0 ? ` und ${de.many(more, 'weitere Zeit', 'weitere Zeiten')}` : ''}`,
  noCrop: 'Der Browser kann diese Datei nicht anzeigen. Fügen Sie stattdessen Fotos der Person hinzu.',
  visible: {
    title: 'Gesichter, die sichtbar sein werden',
    lead: 'Diese Gesichter sind in den exportierten Dateien nicht verborgen. Prüfen Sie, ob jedes Gesicht zur Person des Beispiels gehört oder absichtlich sichtbar gemacht wurde.',
    reading: 'Ergebnisse werden gelesen …',
    none: 'Es wird kein Gesicht sichtbar sein.',
    sample: 'Beispiel',
    face: (file) => `Sichtbares Gesicht in ${file}`,
    confidence: (share) => `Ähnlichkeit ${de.percent(share)}`,
    byHand: 'Von Hand sichtbar gemacht',
    hide: 'Verbergen',
    hideIn: (file) => `Gesicht in ${file} verbergen`,
    cannotHide:
      'Dieses Ergebnis lässt sich nicht bearbeiten. Verbergen Sie alle in den Einstellungen, oder verarbeiten Sie die Datei noch einmal.',
    waiting: 'Änderungen werden angewendet …',
    failed: 'Die Ergebnisse konnten nicht gelesen werden. Es wurde nichts exportiert.',
    exportNow: 'Exportieren',
  },
};

/** Not in the catalogues, whose English one is loaded with every page. */
const TEXTS: Readonly<Record<Language, typeof english>> = { en: english, de: german };

export const useSubjectTexts = (): typeof english => TEXTS[useLanguage().language];
