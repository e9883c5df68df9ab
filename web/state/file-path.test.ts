import { expect, it } from 'vitest';
import { placeOf, rememberPath } from './file-path';

it('a file that was chosen by itself lies in no folder', () => {
  expect(placeOf(new File([], 'a.jpg'))).toEqual({ folder: '', name: 'a.jpg' });
});

it('a file of a dropped folder keeps its place', () => {
  const file = rememberPath(new File([], 'a.jpg'), '/trip/day 1/a.jpg');
  expect(placeOf(file)).toEqual({ folder: 'trip/day 1/', name: 'a.jpg' });
});

it('a folder’s name never leads out of the archive', () => {
  const file = rememberPath(new File([], 'a.jpg'), '../../C:\\x/./a.jpg');
  expect(placeOf(file).folder).toBe('C__x/');
});
