import type { HeadName } from '#shared/domain/manifest';
import type { TrialRefusal } from '../../workers/model-trial';
import { format } from './en-format';

/** The models that run, and those that a user adds. */
export const englishModels = {
  models: {
    title: 'Models',
    runsOn: (backend: string) => `All are loaded, and run on ${backend}.`,
    notLoaded: 'Not loaded yet.',
    name: 'Name',
    classes: 'Looks for',
    hash: 'SHA-256',
    size: 'Size',
    megabytes: format.megabytes,
    use: 'Use',
    uses: {
      used: 'in use',
      replaced: 'replaced by another one',
      damaged: 'left out: damaged, or could not be loaded',
    },
    leftOut: 'Added model left out',
    remove: 'Remove',
    removeNamed: (name: string) => `Remove ${name}`,
  },

  ownModels: {
    title: 'A model of your own',
    lead: 'Drop an ONNX file here, or a pack: a zip, or its pack.json together with its models. It is tried before it is used, takes the place of the model that looks for the same, and stays in this browser. It is not sent anywhere, and a server that you use does not have it.',
    unavailable: 'This browser keeps nothing for this page, so no models can be added.',
    choose: 'Choose a model file',
    reading: 'Reading the file …',
    added: (name: string) =>
      `${name} is in use from the next picture on. Pictures that are done stay as they are.`,
    refused: (name: string, reason: string) => `${name} was not added. ${reason}`,
    file: 'File',
    hash: 'SHA-256',
    head: 'Read as',
    heads: {
      centernet: 'CenterNet',
      'plate-corners': 'Plates with corners',
      'text-regions': 'Text',
      'plate-windows': 'Plates in windows',
      'selfie-mask': 'Outline of a person',
      'pose-mask': 'Outline of a person (pose)',
      'object-outline': 'Outline of an object',
      yunet: 'YuNet',
      centerface: 'CenterFace',
      yolox: 'YOLOX',
      yolo: 'YOLO',
      'yolo-end-to-end': 'YOLO, objects already chosen (NMS)',
      'yolo-seg': 'YOLO with outlines',
      'yolo-seg-end-to-end': 'YOLO with outlines, objects already chosen (NMS)',
      'efficient-sam': 'EfficientSAM: outlines of what is found',
    } satisfies Record<HeadName, string>,
    described: (description: string) => `As its description says: ${description}`,
    classes: 'Looks for',
    classesUnknown: 'The file does not say what it looks for. Please choose.',
    coco: 'People and vehicles (the 80 classes of COCO)',
    nothing: 'Nothing of the kind',
    label: (number: number, name: string | undefined) =>
      name === undefined ? `Class ${format.number(number)}` : `Class ${format.number(number)}: ${name}`,
    means: (name: string, objectClass: string) => `${name} → ${objectClass}`,
    tryInView: (name: string) => `Try it on ${name}`,
    tryOn: 'Try it on a picture …',
    tryTest: 'Try it on the test picture',
    tryHint: 'Take a picture that shows what it should find: what it misses is not hidden.',
    trying: 'Looking at the picture …',
    tried: (found: string, seconds: number, backend: string) =>
      `${found}, in ${format.seconds(seconds, 2)} on ${backend}.`,
    nothingFound: 'It found nothing in this picture. With it, nothing in this picture would be hidden.',
    picture: 'The picture that it was tried on, with what it found',
    use: 'Use it',
    discard: 'Discard',
    refusals: {
      'not-onnx': 'It is no ONNX model, or it is damaged.',
      'external-data': 'It keeps its numbers in another file. Export it as one file.',
      'no-picture-input': 'It takes no picture in the form 1 × 3 × height × width.',
      'wrong-number-type': 'It takes or gives numbers of another kind than float32. Export it as float32.',
      'unknown-outputs':
        'Nothing here can read what it gives. A pack can say how, if it is one of the known kinds.',
      'too-large': 'It is too large for a tab: 512 MB are the most.',
      'not-together': 'Drop one model, one zip, or one pack.json with its models.',
      'bad-archive': 'The zip is damaged, has no pack.json, or holds something else than a pack.',
      'bad-description': 'Its pack.json is not what the description of a pack must be.',
      'wrong-file': 'A model that the description names is missing, or another file is in its place.',
      'does-not-run':
        'It cannot be run here: its operations or shapes are unknown, it takes too long, or too much memory.',
      'bad-picture': 'The picture cannot be read. Take another one, JPEG or PNG.',
      'same-name': 'A model of this name is here already.',
      'no-room': 'There is no room left for it: the browser, or the disk, is full.',
    } satisfies Record<TrialRefusal, string>,
  },
};

export type ModelsMessages = typeof englishModels;
