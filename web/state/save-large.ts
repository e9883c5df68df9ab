interface SavePicker {
  showSaveFilePicker?(options: {
    readonly suggestedName: string;
    readonly types: readonly [{ readonly accept: Readonly<Record<string, readonly string[]>> }];
  }): Promise<FileSystemFileHandle>;
}

const isCalledOff = (cause: unknown): boolean => cause instanceof DOMException && cause.name === 'AbortError';

/** What a large file is saved from. */
export interface LargeFile {
  readonly suggestedName: string;
  readonly type: string;
  /** Called once somebody chose where to save it. */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>;
}

/**
 * Asks where to save a large file and writes it there, piece by piece; what fails on the way replaces no file.
 *
 * @returns false where the browser has no such dialogue or does not let this page use it
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
  await stream().pipeTo(await handle.createWritable());
  return true;
};
