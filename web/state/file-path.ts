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
