import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { blobOfStream } from './save';
import { createNamer, zipFiles, type ZipEntry } from './zip';

const entries = async function* (...names: readonly string[]): AsyncGenerator<ZipEntry> {
  for (const name of names) yield { name, file: new Blob([`content of ${name}`]) };
};

it('an archive contains every file unchanged', async () => {
  const archive = await blobOfStream(zipFiles(entries('a.jpg', 'straße.png')), 'application/zip');
  expect(archive.type).toBe('application/zip');
  const files = unzipSync(new Uint8Array(await archive.arrayBuffer()));
  expect(Object.keys(files)).toEqual(['a.jpg', 'straße.png']);
  expect(new TextDecoder().decode(files['a.jpg'])).toBe('content of a.jpg');
});

it('a file is requested only when the ones before it are read, so that few are in memory', async () => {
  let asked = 0;
  const counted = async function* (): AsyncGenerator<ZipEntry> {
    for await (const entry of entries(...Array.from({ length: 100 }, (_, i) => `${i}.jpg`))) {
      asked += 1;
      yield entry;
    }
  };
  const reader = zipFiles(counted()).getReader();
  await reader.read();
  expect(asked).toBeLessThan(5);
  await reader.cancel();
});

it('a file that cannot be read makes the archive fail, so that an incomplete one is not saved', async () => {
  const broken = async function* (): AsyncGenerator<ZipEntry> {
    yield* entries('a.jpg');
    throw new Error('the result is gone');
  };
  await expect(blobOfStream(zipFiles(broken()), 'application/zip')).rejects.toThrow('the result is gone');
});

it('names are numbered per folder, and a dot in a folder name starts no file extension', () => {
  expect(['a/x.jpg', 'b/x.jpg', 'v1.2/notes', 'v1.2/notes'].map(createNamer())).toEqual([
    'a/x.jpg',
    'b/x.jpg',
    'v1.2/notes',
    'v1.2/notes (2)',
  ]);
});

it('repeated names are numbered, also if only their case differs, and no number makes a name that exists', () => {
  expect(['a.jpg', 'A.jpg', 'a (2).jpg', 'b', 'b'].map(createNamer())).toEqual([
    'a.jpg',
    'A (2).jpg',
    'a (2) (2).jpg',
    'b',
    'b (2)',
  ]);
});
