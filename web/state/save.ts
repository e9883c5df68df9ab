import { anonymisedName, logName, maskName, metadataName, reportName } from '#shared/api/http/filename';
import { placeOf } from './add-files';
import { hasUnappliedEdits, isVideo, type MediaItem } from './media-item';
import { isOutdated } from './wanted-edits';
import type { Anonymiser, SavedResult } from './work';
import type { ZipEntry } from './zip';
import type { Report } from '#shared/api/contract/schemas-report';
import { publicKeyPem } from '#shared/report/signed-report';

/** Loaded with the first archive, because the first load must stay small. */
const loadZip = () => import('./zip');

const KEY_FILE = 'report-public-key.pem';

/** Public keys of the signers of exported reports. */
interface SignerKeys {
  /** Notes the signer of a report, or that it has none. */
  note(report: Blob): Promise<void>;
  /** One file for each key. */
  files(): readonly ZipEntry[];
  /** Whether a noted report has no signature. */
  isAnyMissing(): boolean;
}

/** Starts without keys. */
const createSignerKeys = (): SignerKeys => {
  const keys = new Set<string>();
  let isAnyMissing = false;
  return {
    note: async (report) => {
      const { signature } = JSON.parse(await report.text()) as Pick<Report, 'signature'>;
      if (signature) keys.add(publicKeyPem(signature));
      else isAnyMissing = true;
    },
    files: () => [...keys].map((pem) => ({ name: KEY_FILE, file: new Blob([pem]) })),
    isAnyMissing: () => isAnyMissing,
  };
};

interface SavePicker {
  showSaveFilePicker?(options: {
    readonly suggestedName: string;
    readonly types: readonly [{ readonly accept: Readonly<Record<string, readonly string[]>> }];
  }): Promise<FileSystemFileHandle>;
}

const isCalledOff = (cause: unknown): boolean => cause instanceof DOMException && cause.name === 'AbortError';

/** Source of a large file. */
interface LargeFile {
  readonly suggestedName: string;
  readonly type: string;
  /** Called after the user has selected where to save the file. */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>> | Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}

/**
 * Asks where to save a large file and writes it there in pieces. A failure replaces no existing file.
 *
 * @returns false if the browser has no such dialog or does not allow it
 */
export const saveLarge = async ({ suggestedName, type, stream }: LargeFile): Promise<boolean> => {
  const picker = globalThis as SavePicker;
  if (!picker.showSaveFilePicker) return false;
  const extension = suggestedName.replace(/^.*(?=\.)/, '');
  let handle: FileSystemFileHandle;
  try {
    handle = await picker.showSaveFilePicker({
      suggestedName,
      types: [{ accept: { [type]: [extension] } }],
    });
  } catch (cause) {
    return isCalledOff(cause);
  }
  const content = await stream();
  await content.pipeTo(await handle.createWritable());
  return true;
};

/** Bytes that the script holds in memory at once. */
const PIECE_BYTES = 4 * 1024 ** 2;

/** Reads a stream into a blob, which the browser may move to disk. The script holds one piece of it at a time. */
export const blobOfStream = async (
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  type: string,
): Promise<Blob> => {
  const blobs: Blob[] = [];
  let piece: Uint8Array<ArrayBuffer>[] = [];
  let pieceBytes = 0;
  const flush = (): void => {
    blobs.push(new Blob(piece));
    piece = [];
    pieceBytes = 0;
  };
  const collect = new WritableStream<Uint8Array<ArrayBuffer>>({
    write: (bytes) => {
      piece.push(bytes);
      pieceBytes += bytes.byteLength;
      if (pieceBytes >= PIECE_BYTES) flush();
    },
    close: flush,
  });
  await stream.pipeTo(collect);
  return new Blob(blobs, { type });
};

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
export const isSavable = (item: MediaItem): boolean =>
  item.status === 'done' &&
  item.result?.hasImage === true &&
  !item.result.waitsForRelease &&
  !hasUnappliedEdits(item);

/** Whether the latest edits are not in the files yet: nothing may be saved until then. */
export const hasOutdatedResults = (items: readonly MediaItem[]): boolean => items.some(isOutdated);

/** The buttons are disabled then; this check catches all other callers. */
const refuseWhileChanging = (items: readonly MediaItem[]): void => {
  if (hasOutdatedResults(items)) throw new Error('The latest edits are not in the files yet.');
};

/** Saves a file that is not read yet. @param isLarge written where the user says, piece by piece, if possible */
export const saveFile = async (file: Blob, name: string, isLarge: boolean): Promise<void> => {
  const large = { suggestedName: name, type: file.type, stream: () => file.stream() };
  if (!isLarge || !(await saveLarge(large))) offer(file, name);
};

export const saveItem = async (item: MediaItem, anonymiser: Anonymiser): Promise<void> => {
  const { file, result } = item;
  if (!result) return;
  refuseWhileChanging([item]);
  const saved = await anonymiser.file(result);
  const name = anonymisedName(file.name, saved.type);
  await saveFile(saved, name, isVideo(item));
};

/** Files to export in addition to the results. */
export interface ExportExtras {
  readonly masks: boolean;
  readonly metadata: boolean;
  /** How each file was processed, with the public keys of the signers. */
  readonly report: boolean;
  /** What is hidden and why, and the report for printing. */
  readonly log: boolean;
}
const NO_EXTRAS: ExportExtras = { masks: false, metadata: false, report: false, log: false };

const isAnyWanted = (extras: ExportExtras): boolean => Object.values(extras).some(Boolean);

/** Whether there is something to export with these extras, which also exist for the method `detect`. */
export const isSavableWith = (item: MediaItem, extras: ExportExtras): boolean =>
  isSavable(item) ||
  (isAnyWanted(extras) && item.status === 'done' && item.result !== null && !item.result.waitsForRelease);

type ReportSource = Pick<Anonymiser, 'report' | 'log'>;

/** What reads reports, and where their signers are noted. */
interface Reporting<Source extends ReportSource = ReportSource> {
  readonly anonymiser: Source;
  readonly keys: SignerKeys;
}

/** How a result was made, and what is hidden in it. @param place of the result in the archive */
async function* reportsOf(
  result: SavedResult,
  { folder, name }: { readonly folder: string; readonly name: string },
  { report, log }: Pick<ExportExtras, 'report' | 'log'>,
  { anonymiser, keys }: Reporting,
): AsyncGenerator<ZipEntry> {
  if (report) {
    const processed = await anonymiser.report(result);
    await keys.note(processed);
    yield { name: folder + reportName(name, 'json'), file: processed };
  }
  if (log) {
    const { csv, page } = await anonymiser.log(result);
    yield { name: folder + logName(name, 'csv'), file: csv };
    yield { name: folder + reportName(name, 'html'), file: page };
  }
}

/**
 * The files of one item. Each is read when it is packed.
 *
 * @param path of the result in the archive
 */
async function* filesOf(
  item: MediaItem,
  path: string,
  extras: ExportExtras,
  reporting: Reporting<Anonymiser>,
): AsyncGenerator<ZipEntry> {
  const { result } = item;
  if (!result) return;
  const { anonymiser } = reporting;
  const slash = path.lastIndexOf('/') + 1;
  const [folder, name] = [path.slice(0, slash), path.slice(slash)];
  // Masks and metadata may exist for a result that must not be saved yet.
  if (isSavable(item)) {
    const file = await anonymiser.file(result);
    yield { name: folder + anonymisedName(name, file.type), file };
  }
  for (const { kind, file } of extras.masks ? await anonymiser.masks(result) : []) {
    yield { name: folder + maskName(name, kind), file };
  }
  yield* reportsOf(result, { folder, name }, extras, reporting);
  if (extras.metadata) yield { name: folder + metadataName(name), file: await anonymiser.metadata(result) };
}

/**
 * Saves all finished results. Several files become one archive that keeps the dropped folders.
 *
 * @returns whether a report in the archive has no signature
 */
export const saveAll = async (
  items: readonly MediaItem[],
  anonymiser: Anonymiser,
  archiveName: string,
  extras = NO_EXTRAS,
): Promise<{ readonly isUnsigned: boolean }> => {
  const savable = items.filter((item) => isSavableWith(item, extras));
  refuseWhileChanging(savable);
  const [only, ...others] = savable;
  const isOneFile = others.length === 0 && !isAnyWanted(extras);
  if (only && isOneFile) {
    await saveItem(only, anonymiser);
    return { isUnsigned: false };
  }
  const keys = createSignerKeys();
  const entries = async function* (createNamer: () => (name: string) => string): AsyncGenerator<ZipEntry> {
    const [pathOf, nameOf] = [createNamer(), createNamer()];
    for (const item of savable) {
      const { folder, name } = placeOf(item.file);
      for await (const entry of filesOf(item, pathOf(folder + name), extras, { anonymiser, keys })) {
        yield { ...entry, name: nameOf(entry.name) };
      }
    }
    for (const entry of keys.files()) yield { ...entry, name: nameOf(entry.name) };
  };
  const stream = async () => {
    const { createNamer, zipFiles } = await loadZip();
    return zipFiles(entries(createNamer));
  };
  const bytes = savable.reduce((sum, { file }) => sum + file.size, 0);
  // Must come first: the browser shows the dialog only directly after a click.
  const isSaved =
    bytes >= LARGE_ARCHIVE_BYTES &&
    (await saveLarge({ suggestedName: archiveName, type: ARCHIVE_TYPE, stream }));
  if (!isSaved) offer(await blobOfStream(await stream(), ARCHIVE_TYPE), archiveName);
  return { isUnsigned: keys.isAnyMissing() };
};

/**
 * Saves how a file was processed and what is hidden in it, as an archive next to a large result.
 *
 * @returns whether the report has no signature
 */
export const saveReports = async (
  name: string,
  result: SavedResult,
  anonymiser: ReportSource,
): Promise<{ readonly isUnsigned: boolean }> => {
  const keys = createSignerKeys();
  const entries = async function* (): AsyncGenerator<ZipEntry> {
    yield* reportsOf(result, { folder: '', name }, { report: true, log: true }, { anonymiser, keys });
    yield* keys.files();
  };
  const { zipFiles } = await loadZip();
  offer(await blobOfStream(zipFiles(entries()), ARCHIVE_TYPE), reportName(name, 'zip'));
  return { isUnsigned: keys.isAnyMissing() };
};
