import { isNamedLikeVideo } from './media-item';
import type { AppEvent, AppState } from './app-reducer';
import type { Store } from './store';
import { isNamedUnstitched } from '#shared/domain/projection';
import { BAG_FORMATS, hasExtensionOf, IMAGE_SOURCE_FORMATS } from '#shared/catalogue/formats';

/** Paths of files in dropped folders; a `File` does not contain its path. */
const paths = new WeakMap<File, string>();

/** @param path relative to the dropped folder, including the folder's name, with slashes */
export const rememberPath = (file: File, path: string): File => {
  paths.set(file, path);
  return file;
};

/** The path to pass to `rememberPath` for another copy of the file. */
export const pathOf = (file: File): string => paths.get(file) ?? file.webkitRelativePath ?? '';

/** Characters and names with a special meaning on some system. */
const harmless = (segment: string): string => segment.replace(/[\\:]/g, '_');

/** A file's folder, with a trailing slash; empty for a file that was selected by itself. */
export const placeOf = (file: File): { readonly folder: string; readonly name: string } => {
  const segments = pathOf(file)
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
    .map(harmless);
  const folder = segments.slice(0, -1).map((segment) => `${segment}/`);
  return { folder: folder.join(''), name: file.name };
};

/** Whether a file is probably an image or a video, by type and name: some systems have no type for HEIC. */
const isNamedLikeMedia = (file: File): boolean =>
  file.type.startsWith('image/') ||
  hasExtensionOf(IMAGE_SOURCE_FORMATS, file.name) ||
  isNamedLikeVideo(file) ||
  isNamedUnstitched(file.name);

/** What another detector found, by the file that was dropped together with it. */
const detections = new WeakMap<File, File | 'lost'>();

/** Undefined: it is searched. `lost`: it must not be searched instead, because that finds other objects. */
export const detectionsOf = (file: File): File | 'lost' | undefined => detections.get(file);

/** For another copy of a file that came with detections: these are not stored. */
export const loseDetections = (file: File): File => {
  detections.set(file, 'lost');
  return file;
};

const isNamedLikeDetections = ({ name }: File): boolean => /\.jsonl?$/i.test(name);

/** So much of a file's beginning tells whether it is COCO. */
const HEAD_BYTES = 65_536;

/** JSON that belongs to a photo may be anything, such as the album that it was in; JSON lines are always detections. */
const hasDetections = async (file: File): Promise<boolean> =>
  !/\.json$/i.test(file.name) ||
  /"(images|annotations|categories|objects)"\s*:/.test(await file.slice(0, HEAD_BYTES).text());

/** A file of detections belongs to the images and videos that come with it, and is none of them. */
const withoutDetections = async (files: readonly File[], given: File): Promise<readonly File[]> => {
  if (!(await hasDetections(given))) return files;
  const media = files.filter((file) => file !== given);
  for (const file of media) detections.set(file, given);
  return media;
};

/** The code is loaded only with a file that is named neither like an image nor like a video. */
const bagsAmong = (files: readonly File[]): Promise<readonly File[]> =>
  import('./bags/bag-files').then(
    (code) => code.bagsAmong(files),
    () => [],
  );

/** Adds files at once, unless one of them has to be read first. */
export const addFiles = async (store: Store<AppState, AppEvent>, files: Iterable<File>): Promise<void> => {
  const all = [...files];
  const [given, ...more] = all.filter(isNamedLikeDetections);
  const isAlone = all.length === 1 || more.length > 0;
  const media = given && !isAlone ? await withoutDetections(all, given) : all;
  const unknown = media.filter((file) => !isNamedLikeMedia(file));
  const bags = unknown.length > 0 ? await bagsAmong(unknown) : [];
  const named = (some: readonly File[]) => some.map((file) => ({ id: crypto.randomUUID(), file }));
  if (bags.length > 0) store.send({ type: 'bags-added', bags: named(bags) });
  const added = named(media.filter((file) => !bags.includes(file)));
  if (added.length > 0) store.send({ type: 'added', files: added });
};

const fileOf = async (entry: FileSystemFileEntry): Promise<File> => {
  const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
  return rememberPath(file, entry.fullPath);
};

/** A reader returns a folder's entries in portions; the last portion is empty. */
const entriesOf = async (folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> => {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (portion.length === 0) return entries;
    entries.push(...portion);
  }
};

/** Images, videos and bags of a folder and its subfolders. Other files are ignored. */
const mediaIn = async (entry: FileSystemEntry): Promise<File[]> => {
  if (entry.isFile) {
    const file = await fileOf(entry as FileSystemFileEntry);
    return isNamedLikeMedia(file) || hasExtensionOf(BAG_FORMATS, file.name) ? [file] : [];
  }
  const files: File[] = [];
  for (const child of await entriesOf(entry as FileSystemDirectoryEntry)) {
    files.push(...(await mediaIn(child)));
  }
  return files;
};

/** A file or folder of a drop. */
interface DroppedItem {
  readonly entry: FileSystemEntry | null;
  readonly file: File | null;
}

declare global {
  interface Window {
    /** Defined by `public/early-drop.js`, which listens until this is called. */
    readonly takeEarlyDrop?: () => readonly DroppedItem[];
  }
}

const filesOf = async (items: readonly DroppedItem[]): Promise<File[]> => {
  const files: File[] = [];
  for (const { entry, file } of items) {
    if (entry?.isDirectory) files.push(...(await mediaIn(entry)));
    else if (file) files.push(file);
  }
  return files;
};

/**
 * All files of a drop, folders included. A file that was dropped by itself is always added, so that the user gets an
 * answer.
 */
export const droppedFiles = (transfer: DataTransfer): Promise<File[]> =>
  // Read at once: the list is emptied when the event ends.
  filesOf(
    [...transfer.items]
      .filter(({ kind }) => kind === 'file')
      .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() })),
  );

/** The same of drops while the page was loading. Each file is returned once. */
export const earlyFiles = (): Promise<File[]> => filesOf(window.takeEarlyDrop?.() ?? []);
