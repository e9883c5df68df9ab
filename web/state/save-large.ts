interface SavePicker {
  showSaveFilePicker?(options: {
    readonly suggestedName: string;
    readonly types: readonly [{ readonly accept: Readonly<Record<string, readonly string[]>> }];
  }): Promise<FileSystemFileHandle>;
}

const isCalledOff = (cause: unknown): boolean => cause instanceof DOMException && cause.name === 'AbortError';

/**
 * Asks where to save a large file and writes it there, piece by piece.
 *
 * @returns false where the browser has no such dialogue or does not let this page use it
 */
export const saveLarge = async (file: Blob, suggestedName: string): Promise<boolean> => {
  const picker = globalThis as SavePicker;
  if (!picker.showSaveFilePicker) return false;
  const extension = suggestedName.replace(/^.*(?=\.)/, '');
  let handle: FileSystemFileHandle;
  try {
    handle = await picker.showSaveFilePicker({
      suggestedName,
      types: [{ accept: { [file.type]: [extension] } }],
    });
  } catch (cause) {
    return isCalledOff(cause);
  }
  await file.stream().pipeTo(await handle.createWritable());
  return true;
};
