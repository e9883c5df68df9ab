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

const added = (...names: readonly string[]) => {
  const store = createStore(reduceApp, emptyState(defaultSettings()));
  const files = names.map((name) => new File([], name));
  addFiles(store, files);
  const given = files.map(detectionsOf).map((one) => (one instanceof File ? one.name : one));
  return { names: store.get().pictures.map(({ file }) => file.name), given };
};

it('a file of detections belongs to the files that are added together with it', () => {
  expect(added('a.jpg', 'found.jsonl', 'b.mp4')).toEqual({
    names: ['a.jpg', 'b.mp4'],
    given: ['found.jsonl', undefined, 'found.jsonl'],
  });
});

it('a file of detections alone, and one of several, is added like any other file, so that the user gets an answer', () => {
  for (const names of [['found.json'], ['a.jpg', 'found.json', 'more.jsonl']]) {
    expect(added(...names)).toEqual({ names, given: names.map(() => undefined) });
  }
});
