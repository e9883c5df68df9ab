import { format } from './de-format';
import type { SubjectMessages } from './en-subjects';

export const germanSubjects: SubjectMessages = {
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
  photo: (index) => `Beispielfoto ${format.number(index)}`,
  addPhotos: 'Fotos hinzufügen',
  removePhoto: (index) => `Beispielfoto ${format.number(index)} entfernen`,
  noPhotos: 'Noch keine Fotos.',
  lost: 'Die Beispielfotos eines früheren Besuchs sind nicht mehr verfügbar.',
  start: 'Diese Person sichtbar lassen',
  starting: 'Wird verglichen …',
  stop: 'Wieder alle verbergen',
  unreachable: 'Die Fotos konnten nicht verarbeitet werden. Versuchen Sie es noch einmal.',
  checkFrames:
    'Die Fotos stammen aus dem Video. Entfernen Sie alle Fotos, die nicht diese Person zeigen: Wo sich Personen kreuzen, kann ein Objekt zwei von ihnen enthalten.',
  span: (from, until) => `${format.tenths(from)}\u00a0–\u00a0${format.tenths(until)}`,
  visibleAt: (spans, more) =>
    `Sichtbar als die gewählte Person: ${format.facts(spans)}${more > 0 ? ` und ${format.many(more, 'weitere Zeit', 'weitere Zeiten')}` : ''}`,
  noCrop: 'Der Browser kann diese Datei nicht anzeigen. Fügen Sie stattdessen Fotos der Person hinzu.',
  visible: {
    title: 'Gesichter, die sichtbar sein werden',
    lead: 'Diese Gesichter sind in den exportierten Dateien nicht verborgen. Prüfen Sie, ob jedes Gesicht zur Person des Beispiels gehört oder absichtlich sichtbar gemacht wurde.',
    reading: 'Ergebnisse werden gelesen …',
    none: 'Es wird kein Gesicht sichtbar sein.',
    sample: 'Beispiel',
    face: (file) => `Sichtbares Gesicht in ${file}`,
    confidence: (share) => `Ähnlichkeit ${format.percent(share)}`,
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
