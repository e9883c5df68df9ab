import { anonymisedName } from '#shared/api/download-names';
import type { Picture } from './pictures';
import type { Anonymiser } from './work';
import { uniqueNames, zipFiles, type ZipEntry } from './zip';

/** How long the browser may take to begin reading a download. */
const KEEP_URL_MS = 60_000;

const offer = (file: Blob, name: string): void => {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEEP_URL_MS);
};

/** Whether there is something to save. */
export const isSavable = ({ result, status }: Picture): boolean =>
  status === 'done' && result !== null && result.hasPicture;

export const savePicture = async ({ file, result }: Picture, anonymiser: Anonymiser): Promise<void> => {
  if (!result) return;
  const picture = await anonymiser.picture(result.taskId);
  offer(picture, anonymisedName(file.name, picture.type));
};

/** Saves all pictures that are done, several as one archive. */
export const saveAll = async (
  pictures: readonly Picture[],
  anonymiser: Anonymiser,
  archiveName: string,
): Promise<void> => {
  const savable = pictures.filter(isSavable);
  const [only, ...others] = savable;
  if (only && others.length === 0) return savePicture(only, anonymiser);
  const names = uniqueNames(savable.map(({ file }) => file.name));
  const entries = async function* (): AsyncGenerator<ZipEntry> {
    for (const [i, { result }] of savable.entries()) {
      const file = await anonymiser.picture(result?.taskId ?? '');
      yield { name: anonymisedName(names[i] ?? '', file.type), file };
    }
  };
  offer(await zipFiles(entries()), archiveName);
};
