import type { FetchRefusal } from '../../workers/fetch-in-pieces';
import type { HeadName } from '#shared/domain/manifest';
import type { TrialRefusal } from '../../workers/model-trial';
import { format } from './en-format';

/** Texts about the loaded models and the models that users add. */
export const englishModels = {
  models: {
    title: 'Models',
    runsOn: (backend: string) => `All models are loaded and run on ${backend}.`,
    notLoaded: 'Not loaded yet.',
    name: 'Name',
    classes: 'Detects',
    hash: 'SHA-256',
    size: 'Size',
    megabytes: format.megabytes,
    use: 'Status',
    uses: {
      used: 'in use',
      onRequest: 'loaded if one person or some text stays visible',
      replaced: 'replaced by another model',
      damaged: 'not used: damaged or failed to load',
    },
    usedFor: (presets: readonly string[]) => `in use for ${format.list(presets)}`,
    leftOut: 'Added model not used',
    remove: 'Remove',
    removeNamed: (name: string) => `Remove ${name}`,
  },

  recommended: {
    title: 'Recommended models',
    hint: (bytes: number) =>
      `Recommended models detect persons and vehicles better, as their publishers state (${format.megabytes(bytes)}).`,
    show: 'Show',
    dismiss: 'Dismiss',
    lead: 'They detect persons and vehicles better than the default model, as their publishers state. Not run by us: nobody of this project has run these files. Their hashes are checked, and each is tested on this device before it is used.',
    /** @param facts size and licence */
    pack: (name: string, presets: readonly string[], facts: readonly string[], host: string) =>
      `${name}, for ${format.list(presets)}: ${facts.join(', ')}, from ${host}`,
    network:
      'Only this button downloads them. The hub then learns your network address and the address of this page’s host, and nothing about your files. They are stored in this browser, also for offline use.',
    add: (bytes: number) => `Add recommended models (${format.megabytes(bytes)})`,
    loading: (received: number, total: number) =>
      `${format.megabytes(received)} of ${format.megabytes(total)}`,
    cancel: 'Cancel',
    testing: (name: string) => `Testing ${name} …`,
    installed: 'The recommended models are added. The list above names them.',
    refused: (name: string, reason: string) => `${name} was not added. ${reason}`,
    fetching: {
      unreachable:
        'The download was interrupted, or the hub cannot be reached. Try again when there is a network: what was received is kept.',
      'other-file': 'The hub sent another file than the described one, so it was removed.',
      'in-use': 'Another tab downloads models. Wait until it is done.',
      'no-room': 'There is not enough storage: the browser’s storage or the disk is full.',
    } satisfies Record<FetchRefusal, string>,
  },

  ownModels: {
    title: 'Add your own model',
    lead: 'Drop an ONNX file or a pack here. A pack is a ZIP archive, or a pack.json together with its models. You test the model first. It then replaces the model that detects the same objects, and it is stored in this browser. It is never sent anywhere. A server that processes your files does not use it.',
    unavailable: 'This browser provides no storage for the page, so you cannot add models.',
    choose: 'Choose a model file',
    reading: 'Reading the file …',
    added: (name: string) => `${name} is used from the next image on. Finished images do not change.`,
    refused: (name: string, reason: string) => `${name} was not added. ${reason}`,
    file: 'File',
    hash: 'SHA-256',
    head: 'Output format',
    heads: {
      centernet: 'CenterNet',
      'plate-corners': 'License plates with corners',
      'text-regions': 'Text',
      'plate-windows': 'License plate classifier (windows)',
      'selfie-mask': 'Mask of a person',
      'face-embedding': 'Recognition of one person',
      'text-reader': 'Reading of text',
      'pose-mask': 'Mask of a person (pose)',
      'object-outline': 'Mask of an object',
      yunet: 'YuNet',
      centerface: 'CenterFace',
      yolox: 'YOLOX',
      yolo: 'YOLO',
      'yolo-end-to-end': 'YOLO with built-in NMS',
      'yolo-seg': 'YOLO with masks',
      'yolo-seg-end-to-end': 'YOLO with masks and built-in NMS',
      detr: 'DETR: D-FINE, RT-DETR, RF-DETR',
      'efficient-sam': 'EfficientSAM: masks of detected objects',
    } satisfies Record<HeadName, string>,
    described: (description: string) => `From its description: ${description}`,
    untested: 'Not run by us: nobody of this project has run this file. Its facts are from its publisher.',
    classes: 'Detects',
    classesUnknown: 'The file does not name its object types. Please select them.',
    coco: 'Persons and vehicles (the 80 classes of COCO)',
    nothing: 'None of these',
    label: (number: number, name: string | undefined) =>
      name === undefined ? `Class ${format.number(number)}` : `Class ${format.number(number)}: ${name}`,
    means: (name: string, objectClass: string) => `${name} → ${objectClass}`,
    tryInView: (name: string) => `Test with ${name}`,
    tryOn: 'Test with an image …',
    tryTest: 'Use the test image',
    tryHint: 'Use an image that contains such objects. Objects that the model misses are not hidden.',
    trying: 'Processing the image …',
    tried: (found: string, seconds: number, backend: string) =>
      `${found}, in ${format.seconds(seconds, 2)} on ${backend}.`,
    nothingFound: 'The model detected no objects in this image, so nothing would be hidden.',
    image: 'The test image with the detected objects',
    use: 'Use it',
    discard: 'Discard',
    refusals: {
      'not-onnx': 'The file is not an ONNX model, or it is damaged.',
      'external-data': 'The model stores its weights in another file. Export it as a single file.',
      'no-picture-input': 'The model has no image input of the shape 1 × 3 × height × width.',
      'wrong-number-type': 'The model has an input or output that is not float32. Export it as float32.',
      'unknown-outputs':
        'The output format is unknown. If it is one of the supported formats, name it in a pack.',
      'too-large': 'The file is too large: the limit is 512 MB.',
      'not-together': 'Drop one model, one ZIP archive, or one pack.json with its models.',
      'bad-archive':
        'The ZIP archive is damaged, has no pack.json, or contains files that do not belong to a pack.',
      'bad-description': 'The pack.json is not a valid pack description.',
      'wrong-file': 'A model that the pack.json names is missing or has a different hash.',
      'does-not-run':
        'The model does not run here: it uses unsupported operations or shapes, takes too long, or needs too much memory.',
      'bad-picture': 'The image cannot be read. Use another image.',
      'same-name': 'A model with this name already exists.',
      'no-room': 'There is not enough storage: the browser’s storage or the disk is full.',
    } satisfies Record<TrialRefusal, string>,
  },
};

export type ModelsMessages = typeof englishModels;
