import type { ModelsMessages } from './en-models';
import { format } from './de-format';

/** Texts about the loaded models and the models that users add, in German. */
export const germanModels: ModelsMessages = {
  models: {
    title: 'Modelle',
    runsOn: (backend) => `Alle Modelle sind geladen und laufen mit ${backend}.`,
    notLoaded: 'Noch nicht geladen.',
    name: 'Name',
    classes: 'Erkennt',
    hash: 'SHA-256',
    size: 'Größe',
    megabytes: format.megabytes,
    use: 'Status',
    uses: {
      used: 'wird verwendet',
      onRequest: 'wird geladen, wenn eine Person oder Text sichtbar bleibt',
      replaced: 'durch ein anderes Modell ersetzt',
      damaged: 'nicht verwendet: beschädigt oder nicht geladen',
    },
    usedFor: (presets) => `wird verwendet für ${format.list(presets)}`,
    leftOut: 'Hinzugefügtes Modell wird nicht verwendet',
    remove: 'Entfernen',
    removeNamed: (name) => `${name} entfernen`,
  },

  recommended: {
    title: 'Empfohlene Modelle',
    hint: (bytes) =>
      `Empfohlene Modelle erkennen Personen und Fahrzeuge nach Angabe ihrer Herausgeber besser (${format.megabytes(bytes)}).`,
    show: 'Ansehen',
    dismiss: 'Ausblenden',
    lead: 'Sie erkennen Personen und Fahrzeuge nach Angabe ihrer Herausgeber besser als das mitgelieferte Modell. Nicht von uns ausgeführt: Niemand aus diesem Projekt hat diese Dateien ausgeführt. Ihre Hashwerte werden geprüft, und jedes wird auf diesem Gerät getestet, bevor es verwendet wird.',
    pack: (name, presets, facts, host) =>
      `${name}, für ${format.list(presets)}: ${facts.join(', ')}, von ${host}`,
    network:
      'Nur diese Schaltfläche lädt sie herunter. Der Anbieter erfährt dann Ihre Netzadresse und die Adresse des Hosts dieser Seite, und nichts über Ihre Dateien. Sie werden in diesem Browser gespeichert, auch für die Nutzung ohne Netz.',
    add: (bytes) => `Empfohlene Modelle hinzufügen (${format.megabytes(bytes)})`,
    loading: (received, total) => `${format.megabytes(received)} von ${format.megabytes(total)}`,
    cancel: 'Abbrechen',
    testing: (name) => `${name} wird getestet …`,
    installed: 'Die empfohlenen Modelle sind hinzugefügt. Die Liste oben nennt sie.',
    refused: (name, reason) => `${name} wurde nicht hinzugefügt. ${reason}`,
    fetching: {
      unreachable:
        'Der Download wurde unterbrochen, oder der Anbieter ist nicht erreichbar. Versuchen Sie es mit Netz noch einmal: Was empfangen wurde, bleibt erhalten.',
      'other-file': 'Der Anbieter hat eine andere Datei als die beschriebene gesendet. Sie wurde entfernt.',
      'in-use': 'Ein anderer Tab lädt Modelle herunter. Warten Sie, bis er fertig ist.',
      'no-room': 'Der Speicher reicht nicht: Der Speicher des Browsers oder die Festplatte ist voll.',
    },
  },

  ownModels: {
    title: 'Eigenes Modell hinzufügen',
    lead: 'Legen Sie hier eine ONNX-Datei oder ein Paket ab. Ein Paket ist ein ZIP-Archiv oder eine pack.json zusammen mit den zugehörigen Modellen. Testen Sie das Modell zuerst. Danach ersetzt es das Modell, das dieselben Objekte erkennt, und wird in diesem Browser gespeichert. Es wird nie gesendet. Ein Server, der Ihre Dateien verarbeitet, verwendet es nicht.',
    unavailable:
      'Dieser Browser stellt der Seite keinen Speicher bereit, daher können Sie keine Modelle hinzufügen.',
    choose: 'Modelldatei auswählen',
    reading: 'Die Datei wird gelesen …',
    added: (name) => `${name} wird ab dem nächsten Bild verwendet. Fertige Bilder ändern sich nicht.`,
    refused: (name, reason) => `${name} wurde nicht hinzugefügt. ${reason}`,
    file: 'Datei',
    hash: 'SHA-256',
    head: 'Ausgabeformat',
    heads: {
      centernet: 'CenterNet',
      'plate-corners': 'Kennzeichen mit Ecken',
      'text-regions': 'Text',
      'plate-windows': 'Kennzeichen-Klassifikator (Fenster)',
      'selfie-mask': 'Maske einer Person',
      'face-embedding': 'Wiedererkennen einer Person',
      'text-reader': 'Lesen von Text',
      'pose-mask': 'Maske einer Person (Pose)',
      'object-outline': 'Maske eines Objekts',
      yunet: 'YuNet',
      centerface: 'CenterFace',
      yolox: 'YOLOX',
      yolo: 'YOLO',
      'yolo-end-to-end': 'YOLO mit eingebauter NMS',
      'yolo-seg': 'YOLO mit Masken',
      'yolo-seg-end-to-end': 'YOLO mit Masken und eingebauter NMS',
      detr: 'DETR: D-FINE, RT-DETR, RF-DETR',
      'efficient-sam': 'EfficientSAM: Masken erkannter Objekte',
    },
    described: (description) => `Aus seiner Beschreibung: ${description}`,
    untested:
      'Nicht von uns ausgeführt: Niemand aus diesem Projekt hat diese Datei ausgeführt. Die Angaben stammen von ihrem Herausgeber.',
    classes: 'Erkennt',
    classesUnknown: 'Die Datei nennt keine Objektarten. Bitte wählen Sie sie aus.',
    coco: 'Personen und Fahrzeuge (die 80 Klassen von COCO)',
    nothing: 'Nichts davon',
    label: (number, name) =>
      name === undefined ? `Klasse ${format.number(number)}` : `Klasse ${format.number(number)}: ${name}`,
    means: (name, objectClass) => `${name} → ${objectClass}`,
    tryInView: (name) => `Mit ${name} testen`,
    tryOn: 'Mit einem Bild testen …',
    tryTest: 'Testbild verwenden',
    tryHint:
      'Verwenden Sie ein Bild, das solche Objekte enthält. Objekte, die das Modell übersieht, werden nicht verborgen.',
    trying: 'Das Bild wird verarbeitet …',
    tried: (found, seconds, backend) => `${found}, in ${format.seconds(seconds, 2)} mit ${backend}.`,
    nothingFound: 'Das Modell hat in diesem Bild keine Objekte erkannt. Es würde nichts verborgen.',
    image: 'Das Testbild mit den erkannten Objekten',
    use: 'Verwenden',
    discard: 'Verwerfen',
    refusals: {
      'not-onnx': 'Die Datei ist kein ONNX-Modell oder beschädigt.',
      'external-data':
        'Das Modell speichert seine Gewichte in einer anderen Datei. Exportieren Sie es als eine einzige Datei.',
      'no-picture-input': 'Das Modell hat keinen Bildeingang der Form 1 × 3 × Höhe × Breite.',
      'wrong-number-type':
        'Ein Eingang oder Ausgang des Modells ist nicht float32. Exportieren Sie es mit float32.',
      'unknown-outputs':
        'Das Ausgabeformat ist unbekannt. Wenn es eines der unterstützten Formate ist, nennen Sie es in einem Paket.',
      'too-large': 'Die Datei ist zu groß: Möglich sind höchstens 512 MB.',
      'not-together':
        'Legen Sie ein Modell, ein ZIP-Archiv oder eine pack.json mit den zugehörigen Modellen ab.',
      'bad-archive':
        'Das ZIP-Archiv ist beschädigt, hat keine pack.json oder enthält Dateien, die nicht zu einem Paket gehören.',
      'bad-description': 'Die pack.json ist keine gültige Beschreibung eines Pakets.',
      'wrong-file': 'Ein Modell, das in der pack.json steht, fehlt oder hat einen anderen Hash.',
      'does-not-run':
        'Das Modell läuft hier nicht: Es verwendet nicht unterstützte Operationen oder Formen, braucht zu lange oder benötigt zu viel Speicher.',
      'bad-picture': 'Das Bild kann nicht gelesen werden. Verwenden Sie ein anderes Bild.',
      'same-name': 'Ein Modell mit diesem Namen gibt es bereits.',
      'no-room': 'Der Speicherplatz reicht nicht: Der Speicher des Browsers oder die Festplatte ist voll.',
    },
  },
};
