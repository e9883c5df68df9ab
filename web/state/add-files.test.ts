import { expect, it } from 'vitest';
import { addFiles, detectionsOf, placeOf, rememberPath } from './add-files';
import { emptyState, reduceApp } from './app-reducer';
import { defaultSettings } from './settings';
import { createStore } from './store';

it('a file that was selected by itself has no folder', () => {
  expect(placeOf(new File([], 'a.jpg'))).toEqual({ folder: '', name: 'a.jpg' });
});

it('a file of a dropped folder keeps its folder', () => {
  const file = rememberPath(new File([], 'a.jpg'), '/trip/day 1/a.jpg');
  expect(placeOf(file)).toEqual({ folder: 'trip/day 1/', name: 'a.jpg' });
});

it('a folder name cannot lead out of the archive', () => {
  const file = rememberPath(new File([], 'a.jpg'), '../../C:\\x/./a.jpg');
  expect(placeOf(file).folder).toBe('C__x/');
});

const added = async (files: readonly File[]) => {
  const store = createStore(reduceApp, emptyState(defaultSettings()));
  await addFiles(store, files);
  const given = files.map(detectionsOf).map((one) => (one instanceof File ? one.name : one));
  return { names: store.get().items.map(({ file }) => file.name), given };
};

const named = (...names: readonly string[]): readonly File[] => names.map((name) => new File([], name));
const json = (content: object): File => new File([JSON.stringify(content, null, 2)], 'found.json');

it('a file of detections belongs to the files that are added together with it', async () => {
  expect(await added(named('a.jpg', 'found.jsonl', 'b.mp4'))).toEqual({
    names: ['a.jpg', 'b.mp4'],
    given: ['found.jsonl', undefined, 'found.jsonl'],
  });
  for (const content of [{ info: {}, images: [] }, { annotations: [] }, { width: 1, objects: [] }]) {
    const files = [...named('a.jpg'), json(content)];
    expect(await added(files)).toEqual({ names: ['a.jpg'], given: ['found.json', undefined] });
  }
});

it('JSON of another kind belongs to no file, so that these are searched', async () => {
  const files = [...named('a.jpg'), json({ title: 'a.jpg', geoData: { latitude: 0 } })];
  expect(await added(files)).toEqual({ names: ['a.jpg', 'found.json'], given: [undefined, undefined] });
});

it('a file of detections alone, and one of several, is added like any other file, so that the user gets an answer', async () => {
  for (const names of [['found.jsonl'], ['a.jpg', 'found.jsonl', 'more.jsonl']]) {
    expect(await added(named(...names))).toEqual({ names, given: names.map(() => undefined) });
  }
});

it('bags are told by their content, and are not added to the list', async () => {
  const store = createStore(reduceApp, emptyState(defaultSettings()));
  const bag = new File(
    ['\x89MCAP0\r\n'].map((text) => Uint8Array.from(text, (one) => one.charCodeAt(0))),
    'a',
  );
  const old = new File(['#ROSBAG V2.0'], 'old.bag');
  const text = new File(['no bag'], 'text.mcap');
  await addFiles(store, [bag, ...named('a.jpg'), old, text]);
  expect(store.get().bags.map(({ file }) => file)).toEqual([bag, old]);
  expect(store.get().items.map(({ file }) => file.name)).toEqual(['a.jpg', 'text.mcap']);
  store.send({ type: 'bag-closed' });
  expect(store.get().bags.map(({ file }) => file)).toEqual([old]);
});
