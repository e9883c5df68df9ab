/** Where files of dropped folders lie in them; a file itself does not say. */
const paths = new WeakMap<File, string>();

/** @param path from the folder that was dropped, its name included, with slashes */
export const rememberPath = (file: File, path: string): File => {
  paths.set(file, path);
  return file;
};

/** What `rememberPath` needs to say the same of another copy of the file. */
export const pathOf = (file: File): string => paths.get(file) ?? file.webkitRelativePath ?? '';

/** What some system would take for more than a name. */
const harmless = (segment: string): string => segment.replace(/[\\:]/g, '_');

/** A file's folder, with a slash at its end, and its name; empty for a file that was chosen by itself. */
export const placeOf = (file: File): { readonly folder: string; readonly name: string } => {
  const segments = pathOf(file)
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
    .map(harmless);
  const folder = segments.slice(0, -1).map((segment) => `${segment}/`);
  return { folder: folder.join(''), name: file.name };
};
