import { expect, it } from 'vitest';
import { placeOf, rememberPath } from './intake';

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
