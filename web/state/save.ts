import { anonymisedName } from '#shared/api/download-names';
import { placeOf } from './file-path';
import { hasUnappliedEdits, isVideo, type Picture } from './pictures';
import { saveLarge } from './save-large';
import { isOutdated } from './revisable';
import type { Anonymiser } from './work';
import { uniqueNames, zipFiles, type ZipEntry } from './zip';

/** How long the browser may take to begin reading a download. */
const KEEP_URL_MS = 60_000;

/** Has the browser download a file, which it reads by itself. */
const offer = (file: Blob, name: string): void => {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEEP_URL_MS);
};

/** Whether there is something to save; not while changes wait to be applied: the file would show what is to be hidden. */
export const isSavable = (picture: Picture): boolean =>
  picture.status === 'done' && picture.result?.hasPicture === true && !hasUnappliedEdits(picture);

/** Whether something that was just changed is not in the files yet: until then nothing must be saved. */
export const isChanging = (pictures: readonly Picture[]): boolean => pictures.some(isOutdated);

export const savePicture = async (picture: Picture, anonymiser: Anonymiser): Promise<void> => {
  const { file, result } = picture;
  if (!result) return;
  const saved = await anonymiser.file(result);
  const name = anonymisedName(file.name, saved.type);
  if (!isVideo(picture) || !(await saveLarge(saved, name))) offer(saved, name);
};

/** Saves all pictures that are done, several as one archive, each in the folder that it was dropped in. */
export const saveAll = async (
  pictures: readonly Picture[],
  anonymiser: Anonymiser,
  archiveName: string,
): Promise<void> => {
  const savable = pictures.filter(isSavable);
  const [only, ...others] = savable;
  if (only && others.length === 0) return savePicture(only, anonymiser);
  const places = savable.map(({ file }) => placeOf(file));
  const paths = uniqueNames(places.map(({ folder, name }) => folder + name));
  const entries = async function* (): AsyncGenerator<ZipEntry> {
    for (const [i, { result }] of savable.entries()) {
      if (!result) continue;
      const file = await anonymiser.file(result);
      const folder = places[i]?.folder ?? '';
      const name = anonymisedName((paths[i] ?? '').slice(folder.length), file.type);
      yield { name: folder + name, file };
    }
  };
  offer(await zipFiles(entries()), archiveName);
};
