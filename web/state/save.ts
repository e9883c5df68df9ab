import { anonymisedName, maskName, metadataName, reportName } from '#shared/api/http/filename';
import { blobOfStream } from './blob-of-stream';
import { placeOf } from './file-path';
import { hasUnappliedEdits, isVideo, type MediaItem } from './media-item';
import { saveLarge } from './save-large';
import { createSignerKeys, type SignerKeys } from './signer-keys';
import { isOutdated } from './wanted-edits';
import type { Anonymiser } from './work';
import { createNamer, zipFiles, type ZipEntry } from './zip';

const ARCHIVE_TYPE = 'application/zip';
/** Size of the originals, in bytes, above which an archive is written directly to disk and never held in memory. */
const LARGE_ARCHIVE_BYTES = 500e6;

/** Time in which the browser begins to read a download. */
const KEEP_URL_MS = 60_000;

/** Downloads a file. The browser reads it by itself. */
const offer = (file: Blob, name: string): void => {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEEP_URL_MS);
};

/** Whether there is a result to save. Not while edits wait: the file would show objects that are to be hidden. */
export const isSavable = (picture: MediaItem): boolean =>
  picture.status === 'done' && picture.result?.hasPicture === true && !hasUnappliedEdits(picture);

/** Whether the latest edits are not in the files yet: nothing may be saved until then. */
export const isChanging = (pictures: readonly MediaItem[]): boolean => pictures.some(isOutdated);

/** The buttons are disabled then; this check catches all other callers. */
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

/** Files to export in addition to the results. */
export interface Besides {
  readonly masks: boolean;
  readonly metadata: boolean;
  /** How each file was processed, with the public keys of the signers. */
  readonly report: boolean;
}
const NOTHING_BESIDES: Besides = { masks: false, metadata: false, report: false };

const isAnyWanted = ({ masks, metadata, report }: Besides): boolean => masks || metadata || report;

/** Whether there is something to export with these extras, which also exist for the method `detect`. */
export const isSavableWith = (picture: MediaItem, besides: Besides): boolean =>
  isSavable(picture) || (isAnyWanted(besides) && picture.status === 'done' && picture.result !== null);

/**
 * The files of one item. Each is read when it is packed.
 *
 * @param path of the result in the archive
 */
async function* filesOf(
  picture: MediaItem,
  path: string,
  { masks, metadata, report }: Besides,
  anonymiser: Anonymiser,
  keys: SignerKeys,
): AsyncGenerator<ZipEntry> {
  const { result } = picture;
  if (!result) return;
  const slash = path.lastIndexOf('/') + 1;
  const [folder, name] = [path.slice(0, slash), path.slice(slash)];
  // Masks and metadata may exist for a result that must not be saved yet.
  if (isSavable(picture)) {
    const file = await anonymiser.file(result);
    yield { name: folder + anonymisedName(name, file.type), file };
  }
  for (const { kind, file } of masks ? await anonymiser.masks(result) : []) {
    yield { name: folder + maskName(name, kind), file };
  }
  if (report) {
    const processed = await anonymiser.report(result);
    await keys.note(processed);
    yield { name: folder + reportName(name, 'json'), file: processed };
  }
  if (metadata) yield { name: folder + metadataName(name), file: await anonymiser.metadata(result) };
}

/**
 * Saves all finished results. Several files become one archive that keeps the dropped folders.
 *
 * @returns whether a report in the archive has no signature
 */
export const saveAll = async (
  pictures: readonly MediaItem[],
  anonymiser: Anonymiser,
  archiveName: string,
  besides = NOTHING_BESIDES,
): Promise<{ readonly isUnsigned: boolean }> => {
  const savable = pictures.filter((picture) => isSavableWith(picture, besides));
  refuseWhileChanging(savable);
  const [only, ...others] = savable;
  const isOneFile = others.length === 0 && !isAnyWanted(besides);
  if (only && isOneFile) {
    await savePicture(only, anonymiser);
    return { isUnsigned: false };
  }
  const pathOf = createNamer();
  const nameOf = createNamer();
  const keys = createSignerKeys();
  const entries = async function* (): AsyncGenerator<ZipEntry> {
    for (const picture of savable) {
      const { folder, name } = placeOf(picture.file);
      for await (const entry of filesOf(picture, pathOf(folder + name), besides, anonymiser, keys)) {
        yield { ...entry, name: nameOf(entry.name) };
      }
    }
    for (const entry of keys.files()) yield { ...entry, name: nameOf(entry.name) };
  };
  const stream = () => zipFiles(entries());
  const bytes = savable.reduce((sum, { file }) => sum + file.size, 0);
  // Must come first: the browser shows the dialog only directly after a click.
  const isSaved =
    bytes >= LARGE_ARCHIVE_BYTES &&
    (await saveLarge({ suggestedName: archiveName, type: ARCHIVE_TYPE, stream }));
  if (!isSaved) offer(await blobOfStream(stream(), ARCHIVE_TYPE), archiveName);
  return { isUnsigned: keys.isAnyMissing() };
};
