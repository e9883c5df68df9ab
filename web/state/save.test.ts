import { afterEach, expect, it, vi } from 'vitest';
import { stateWith, resultWith } from '../testing/items';
import { isSavable, isSavableWith, saveAll, saveLarge } from './save';
import type { MediaItem } from './media-item';
import type { Anonymiser } from './work';

afterEach(() => vi.unstubAllGlobals());

/** A disk to which the user allows the page to write. */
const createDisk = () => {
  const written: Uint8Array[] = [];
  const outcome = { ended: 'open' };
  const createWritable = () =>
    Promise.resolve(
      new WritableStream<Uint8Array>({
        write: (piece) => void written.push(piece),
        close: () => void (outcome.ended = 'saved'),
        abort: () => void (outcome.ended = 'discarded'),
      }),
    );
  const picker = vi.fn(() => Promise.resolve({ createWritable }));
  vi.stubGlobal('showSaveFilePicker', picker);
  return { written, outcome, picker };
};

const streamOf = (...pieces: readonly string[]) => new Blob([...pieces]).stream();
const file = (stream: () => ReadableStream<Uint8Array<ArrayBuffer>>) => ({
  suggestedName: 'all.zip',
  type: 'application/zip',
  stream,
});

it('a large file is written to the place that the user selects', async () => {
  const { written, outcome, picker } = createDisk();
  expect(await saveLarge(file(() => streamOf('ab', 'c')))).toBe(true);
  expect(await new Blob(written as Uint8Array<ArrayBuffer>[]).text()).toBe('abc');
  expect(outcome.ended).toBe('saved');
  expect(picker).toHaveBeenCalledWith({
    suggestedName: 'all.zip',
    types: [{ accept: { 'application/zip': ['.zip'] } }],
  });
});

it('a failure during writing replaces no existing file', async () => {
  const { outcome } = createDisk();
  const failing = () =>
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: () => Promise.reject(new Error('the result is gone')),
    });
  await expect(saveLarge(file(failing))).rejects.toThrow('the result is gone');
  expect(outcome.ended).toBe('discarded');
});

it('nothing is read if the user selects no place', async () => {
  const stream = vi.fn(() => streamOf('a'));
  vi.stubGlobal('showSaveFilePicker', () => Promise.reject(new DOMException('', 'AbortError')));
  expect(await saveLarge(file(stream))).toBe(true);
  vi.stubGlobal('showSaveFilePicker', undefined);
  expect(await saveLarge(file(stream))).toBe(false);
  expect(stream).not.toHaveBeenCalled();
});

/** Finished images with originals of this size. */
const items = (bytes: number): readonly MediaItem[] =>
  stateWith({ 'a.jpg': resultWith('a', []), 'b.jpg': resultWith('b', []) }).items.map((listed) => ({
    ...listed,
    file: Object.defineProperty(new File([], listed.file.name), 'size', { value: bytes }),
  }));
const anonymiser = {
  file: () => Promise.resolve(new Blob(['x'], { type: 'image/jpeg' })),
} as unknown as Anonymiser;

it('a large archive is written to disk in pieces, and a small one is downloaded', async () => {
  const { written, outcome, picker } = createDisk();
  const saving = saveAll(items(300e6), anonymiser, 'all.zip');
  expect(picker).toHaveBeenCalledOnce();
  await saving;
  expect(outcome.ended).toBe('saved');
  expect(written.length).toBeGreaterThan(2);

  const link = { href: '', download: '', click: vi.fn() };
  vi.stubGlobal('document', { createElement: () => link });
  await saveAll(items(1e6), anonymiser, 'all.zip');
  expect(picker).toHaveBeenCalledOnce();
  expect(link).toMatchObject({ download: 'all.zip', href: expect.stringMatching(/^blob:/) as unknown });
});

it('a result that waits for its release cannot be saved', () => {
  const { items } = stateWith({ 'a.png': resultWith('task', []) });
  const [listed] = items as readonly [MediaItem];
  const gated = (waitsForRelease: boolean): MediaItem => ({
    ...listed,
    result: { ...listed.result!, waitsForRelease },
  });
  const extras = { masks: false, metadata: false, report: true, log: false };
  for (const [item, can] of [
    [listed, true],
    [gated(false), true],
    [gated(true), false],
  ] as const) {
    expect([isSavable(item), isSavableWith(item, extras)]).toEqual([can, can]);
  }
});
