interface SavePicker {
  showSaveFilePicker?(options: {
    readonly suggestedName: string;
    readonly types: readonly [{ readonly accept: Readonly<Record<string, readonly string[]>> }];
  }): Promise<FileSystemFileHandle>;
}

const isCalledOff = (cause: unknown): boolean => cause instanceof DOMException && cause.name === 'AbortError';

/** Source of a large file. */
export interface LargeFile {
  readonly suggestedName: string;
  readonly type: string;
  /** Called after the user has selected where to save the file. */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>;
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
  await stream().pipeTo(await handle.createWritable());
  return true;
};
