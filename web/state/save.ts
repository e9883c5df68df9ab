import { anonymisedName, maskName, metadataName } from '#shared/api/http/download-names';
import { blobOfStream } from './blob-of-stream';
import { placeOf } from './file-path';
import { hasUnappliedEdits, isVideo, type MediaItem } from './media-item';
import { saveLarge } from './save-large';
import { isOutdated } from './wanted-edits';
import type { Anonymiser } from './work';
import { createNamer, zipFiles, type ZipEntry } from './zip';

const ARCHIVE_TYPE = 'application/zip';
/** Of originals that are saved as one archive: what is larger is written where the user says, and never held whole. */
const LARGE_ARCHIVE_BYTES = 500e6;

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
export const isSavable = (picture: MediaItem): boolean =>
  picture.status === 'done' && picture.result?.hasPicture === true && !hasUnappliedEdits(picture);

/** Whether something that was just changed is not in the files yet: until then nothing must be saved. */
export const isChanging = (pictures: readonly MediaItem[]): boolean => pictures.some(isOutdated);

/** The buttons wait, too; this is for whoever gets past them. */
const refuseWhileChanging = (pictures: readonly MediaItem[]): void => {
  if (isChanging(pictures)) throw new Error('The latest edits are not in the files yet.');
};

export const savePicture = async (picture: MediaItem, anonymiser: Anonymiser): Promise<void> => {
  const { file, result } = picture;
  if (!result) return;
  refuseWhileChanging([picture]);
  const saved = await anonymiser.file(result);
  const name = anonymisedName(file.name, saved.type);
  const large = { suggestedName: name, type: saved.type, stream: () => saved.stream() };
  if (!isVideo(picture) || !(await saveLarge(large))) offer(saved, name);
};

/** What is saved beside pictures. */
export interface Besides {
  readonly masks: boolean;
  readonly metadata: boolean;
}
const NOTHING_BESIDES: Besides = { masks: false, metadata: false };

/** Whether there is something to save with these, which are there of what was only looked at, too. */
export const isSavableWith = (picture: MediaItem, { masks, metadata }: Besides): boolean =>
  isSavable(picture) || ((masks || metadata) && picture.status === 'done' && picture.result !== null);

/**
 * One picture's files, each read when it is packed.
 *
 * @param path of the picture in the archive
 */
async function* filesOf(
  picture: MediaItem,
  path: string,
  { masks, metadata }: Besides,
  anonymiser: Anonymiser,
): AsyncGenerator<ZipEntry> {
  const { result } = picture;
  if (!result) return;
  const slash = path.lastIndexOf('/') + 1;
  const [folder, name] = [path.slice(0, slash), path.slice(slash)];
  // Masks and metadata may be there of what must not be saved as it is.
  if (isSavable(picture)) {
    const file = await anonymiser.file(result);
    yield { name: folder + anonymisedName(name, file.type), file };
  }
  for (const { kind, file } of masks ? await anonymiser.masks(result) : []) {
    yield { name: folder + maskName(name, kind), file };
  }
  if (metadata) yield { name: folder + metadataName(name), file: await anonymiser.metadata(result) };
}

/** Saves all of the pictures that are done, several files as one archive, each in the folder that it was dropped in. */
export const saveAll = async (
  pictures: readonly MediaItem[],
  anonymiser: Anonymiser,
  archiveName: string,
  besides = NOTHING_BESIDES,
): Promise<void> => {
  const savable = pictures.filter((picture) => isSavableWith(picture, besides));
  refuseWhileChanging(savable);
  const [only, ...others] = savable;
  const isOneFile = others.length === 0 && !besides.masks && !besides.metadata;
  if (only && isOneFile) return savePicture(only, anonymiser);
  const pathOf = createNamer();
  const nameOf = createNamer();
  const entries = async function* (): AsyncGenerator<ZipEntry> {
    for (const picture of savable) {
      const { folder, name } = placeOf(picture.file);
      for await (const entry of filesOf(picture, pathOf(folder + name), besides, anonymiser)) {
        yield { ...entry, name: nameOf(entry.name) };
      }
    }
  };
  const stream = () => zipFiles(entries());
  const bytes = savable.reduce((sum, { file }) => sum + file.size, 0);
  // Asked before anything is read: a browser shows the dialogue right after a click alone.
  const isSaved =
    bytes >= LARGE_ARCHIVE_BYTES &&
    (await saveLarge({ suggestedName: archiveName, type: ARCHIVE_TYPE, stream }));
  if (!isSaved) offer(await blobOfStream(stream(), ARCHIVE_TYPE), archiveName);
};
