import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { createNamer, zipFiles, type ZipEntry } from './zip';

const entries = async function* (...names: readonly string[]): AsyncGenerator<ZipEntry> {
  for (const name of names) yield { name, file: new Blob([`content of ${name}`]) };
};

it('an archive holds every file as it was', async () => {
  const archive = await zipFiles(entries('a.jpg', 'straße.png'));
  const files = unzipSync(new Uint8Array(await archive.arrayBuffer()));
  expect(Object.keys(files)).toEqual(['a.jpg', 'straße.png']);
  expect(new TextDecoder().decode(files['a.jpg'])).toBe('content of a.jpg');
});

it('names repeat within a folder alone, and a dot in a folder’s name begins no extension', () => {
  expect(['a/x.jpg', 'b/x.jpg', 'v1.2/notes', 'v1.2/notes'].map(createNamer())).toEqual([
    'a/x.jpg',
    'b/x.jpg',
    'v1.2/notes',
    'v1.2/notes (2)',
  ]);
});

it('repeated names are numbered, whatever their case, and never run into a name that is taken', () => {
  expect(['a.jpg', 'A.jpg', 'a (2).jpg', 'b', 'b'].map(createNamer())).toEqual([
    'a.jpg',
    'A (2).jpg',
    'a (2) (2).jpg',
    'b',
    'b (2)',
  ]);
});
