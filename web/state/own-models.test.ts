import { describe, expect, it, vi } from 'vitest';
import type { OpenedModel } from '../adapters/model-trials';
import type { InspectedModel, ModelTrial } from '../workers/model-trial';
import { choiceOf, createOwnModelShelf, isNamed, type OwnModelPorts, type OwnModelShelf } from './own-models';

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
const picture = (): Promise<File> => Promise.resolve(new File([], 'photo.jpg'));

const openedModel = (changed: Partial<OpenedModel> = {}): OpenedModel => ({
  model: UNNAMED,
  try: vi.fn(async () => TRIAL),
  keep: vi.fn(async () => ({ packId: 'own' })),
  close: vi.fn(),
  ...changed,
});
const shelfOf = (
  opened: Awaited<ReturnType<OwnModelPorts['open']>>,
  onChange = vi.fn(async () => undefined),
): OwnModelShelf =>
  createOwnModelShelf({
    isOffered: true,
    open: async () => opened,
    list: async () => [],
    remove: async () => undefined,
    clear: async () => false,
    onChange,
  });
const trialKind = (shelf: OwnModelShelf): string => {
  const status = shelf.adding.get();
  return status.kind === 'opened' ? status.trial.kind : status.kind;
};

describe('a model that is added', () => {
  it('is neither tried before it is known what it finds, nor used before it was tried', async () => {
    const opened = openedModel();
    const shelf = shelfOf(opened);
    await shelf.open(FILES);
    await shelf.try(picture);
    await shelf.use();
    expect(opened.try).not.toHaveBeenCalled();
    expect(opened.keep).not.toHaveBeenCalled();
    shelf.choose({ reading: 0, labels: { 0: 'face' } });
    await shelf.use();
    expect(opened.keep).not.toHaveBeenCalled();
    await shelf.try(picture);
    await shelf.use();
    expect(shelf.adding.get()).toEqual({ kind: 'added', name: 'model.onnx' });
  });

  it('is used from then on, and its worker ends', async () => {
    const opened = openedModel();
    const onChange = vi.fn(async () => undefined);
    const shelf = shelfOf(opened, onChange);
    await shelf.open(FILES);
    shelf.choose(choiceOf(UNNAMED, 1));
    await shelf.try(picture);
    await shelf.use();
    expect(onChange).toHaveBeenCalledOnce();
    expect(shelf.changes.get()).toBe(1);
    expect(opened.close).toHaveBeenCalledOnce();
  });

  it('has to be tried again when it is read in another way, even if the trial was under way', async () => {
    const answers: ((trial: ModelTrial) => void)[] = [];
    const opened = openedModel({ try: () => new Promise((resolve) => answers.push(resolve)) });
    const shelf = shelfOf(opened);
    await shelf.open(FILES);
    shelf.choose({ reading: 0, labels: { 0: 'face' } });
    const trying = shelf.try(picture);
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    shelf.choose({ reading: 0, labels: { 0: 'person' } });
    answers[0]?.(TRIAL);
    await trying;
    expect(trialKind(shelf)).toBe('untried');
  });

  it('is not used where its trial failed', async () => {
    const opened = openedModel({ try: async () => ({ refusal: 'does-not-run' }) });
    const shelf = shelfOf(opened);
    await shelf.open(FILES);
    shelf.choose(choiceOf(UNNAMED, 1));
    await shelf.try(picture);
    await shelf.use();
    expect(trialKind(shelf)).toBe('refused');
    expect(opened.keep).not.toHaveBeenCalled();
  });

  it('is forgotten with its worker when it is discarded, or another file is opened', async () => {
    const opened = openedModel();
    const shelf = shelfOf(opened);
    await shelf.open(FILES);
    await shelf.open(FILES);
    expect(opened.close).toHaveBeenCalledTimes(1);
    shelf.discard();
    expect(opened.close).toHaveBeenCalledTimes(2);
    expect(shelf.adding.get().kind).toBe('none');
  });

  it('is refused with a reason, and one that comes too late is closed', async () => {
    const refusing = shelfOf({ refusal: 'not-onnx' });
    await refusing.open(FILES);
    expect(refusing.adding.get()).toEqual({ kind: 'refused', name: 'model.onnx', refusal: 'not-onnx' });
    const opened = openedModel();
    const shelf = shelfOf(opened);
    const opening = shelf.open(FILES);
    shelf.discard();
    await opening;
    expect(shelf.adding.get().kind).toBe('none');
    expect(opened.close).toHaveBeenCalledOnce();
  });
});

it('what a model finds is known from its description, its head, or its classes', () => {
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
