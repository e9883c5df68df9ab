import { describe, expect, it, vi } from 'vitest';
import type { OpenedModel } from '../adapters/model-trials';
import type { InspectedModel, ModelTrial } from '../workers/model-trial';
import { choiceOf, createOwnModelStore, isNamed, type OwnModelPorts, type OwnModelStore } from './own-models';

const READING = { head: 'yolo-end-to-end', input: {} as never, outputs: [], threshold: 0.4 } as const;
const UNNAMED: InspectedModel = {
  files: [],
  readings: [
    { reading: READING, labels: {} },
    { reading: { ...READING, head: 'yolox' }, labels: { 0: 'face' } },
  ],
  classNames: new Map(),
};
const TRIAL: ModelTrial = { objects: [], width: 1, height: 1, seconds: 1, backend: 'fake' };
const FILES = [new File(['x'], 'model.onnx')];
const image = (): Promise<File> => Promise.resolve(new File([], 'photo.jpg'));

const openedModel = (changed: Partial<OpenedModel> = {}): OpenedModel => ({
  model: UNNAMED,
  try: vi.fn(async () => TRIAL),
  keep: vi.fn(async () => ({ packId: 'own' })),
  close: vi.fn(),
  ...changed,
});
const storeOf = (
  opened: Awaited<ReturnType<OwnModelPorts['open']>>,
  onChange = vi.fn(async () => undefined),
): OwnModelStore =>
  createOwnModelStore({
    isOffered: true,
    open: async () => opened,
    list: async () => [],
    remove: async () => undefined,
    clear: async () => false,
    listRecommended: async () => [],
    fetch: async () => FILES[0]!,
    makeTestImage: image,
    removeDownloads: async () => undefined,
    onChange,
  });
const trialKind = (resultStore: OwnModelStore): string => {
  const status = resultStore.adding.get();
  return status.kind === 'opened' ? status.trial.kind : status.kind;
};

describe('an added model', () => {
  it('cannot be tested before its classes are known, nor used before it was tested', async () => {
    const opened = openedModel();
    const resultStore = storeOf(opened);
    await resultStore.open(FILES);
    await resultStore.try(image);
    await resultStore.use();
    expect(opened.try).not.toHaveBeenCalled();
    expect(opened.keep).not.toHaveBeenCalled();
    resultStore.choose({ reading: 0, labels: { 0: 'face' } });
    await resultStore.use();
    expect(opened.keep).not.toHaveBeenCalled();
    await resultStore.try(image);
    await resultStore.use();
    expect(resultStore.adding.get()).toEqual({ kind: 'added', name: 'model.onnx' });
  });

  it('is used from then on, and its worker ends', async () => {
    const opened = openedModel();
    const onChange = vi.fn(async () => undefined);
    const resultStore = storeOf(opened, onChange);
    await resultStore.open(FILES);
    resultStore.choose(choiceOf(UNNAMED, 1));
    await resultStore.try(image);
    await resultStore.use();
    expect(onChange).toHaveBeenCalledOnce();
    expect(resultStore.changes.get()).toBe(1);
    expect(opened.close).toHaveBeenCalledOnce();
  });

  it('must be tested again after another choice of classes, even if a test was running', async () => {
    const answers: ((trial: ModelTrial) => void)[] = [];
    const opened = openedModel({ try: () => new Promise((resolve) => answers.push(resolve)) });
    const resultStore = storeOf(opened);
    await resultStore.open(FILES);
    resultStore.choose({ reading: 0, labels: { 0: 'face' } });
    const trying = resultStore.try(image);
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    resultStore.choose({ reading: 0, labels: { 0: 'person' } });
    answers[0]?.(TRIAL);
    await trying;
    expect(trialKind(resultStore)).toBe('untried');
  });

  it('is not used if its test failed', async () => {
    const opened = openedModel({ try: async () => ({ refusal: 'does-not-run' }) });
    const resultStore = storeOf(opened);
    await resultStore.open(FILES);
    resultStore.choose(choiceOf(UNNAMED, 1));
    await resultStore.try(image);
    await resultStore.use();
    expect(trialKind(resultStore)).toBe('refused');
    expect(opened.keep).not.toHaveBeenCalled();
  });

  it('is closed with its worker when it is discarded or another file is opened', async () => {
    const opened = openedModel();
    const resultStore = storeOf(opened);
    await resultStore.open(FILES);
    await resultStore.open(FILES);
    expect(opened.close).toHaveBeenCalledTimes(1);
    resultStore.discard();
    expect(opened.close).toHaveBeenCalledTimes(2);
    expect(resultStore.adding.get().kind).toBe('none');
  });

  it('is refused with a reason, and closed if it was discarded while it was read', async () => {
    const refusing = storeOf({ refusal: 'not-onnx' });
    await refusing.open(FILES);
    expect(refusing.adding.get()).toEqual({ kind: 'refused', name: 'model.onnx', refusal: 'not-onnx' });
    const opened = openedModel();
    const resultStore = storeOf(opened);
    const opening = resultStore.open(FILES);
    resultStore.discard();
    await opening;
    expect(resultStore.adding.get().kind).toBe('none');
    expect(opened.close).toHaveBeenCalledOnce();
  });
});

it('the classes of a model are known from its description, its head, or the names of its classes', () => {
  const choice = { reading: 0, labels: {} };
  expect(isNamed(UNNAMED, choice)).toBe(false);
  expect(isNamed(UNNAMED, choiceOf(UNNAMED, 1))).toBe(true);
  expect(isNamed({ ...UNNAMED, pack: {} as never }, choice)).toBe(true);
  const faces = {
    ...UNNAMED,
    readings: [{ reading: { ...READING, classes: ['face'] as const }, labels: {} }],
  };
  expect(isNamed(faces, choice)).toBe(true);
});
