const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Sentences by the system's error code. Each one is printed after the name of the file. */
const READ_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file or folder.',
  ENOTDIR: 'There is no such file or folder.',
  ELOOP: 'The symbolic link is circular.',
  EACCES: 'This user has no permission to read it.',
  EPERM: 'This user has no permission to read it.',
  ENAMETOOLONG: 'Its name is too long.',
};
const WRITE_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'This user has no permission to write its result.',
  EPERM: 'This user has no permission to write its result.',
  EROFS: 'Its result cannot be written: the disk is read-only.',
  ENAMETOOLONG: 'Its name is too long for the names of its results.',
  EEXIST: 'Its result cannot be written: a file has the name of a required folder.',
  ENOTDIR: 'Its result cannot be written: a file has the name of a required folder.',
};
const DISK_FULL: readonly string[] = ['ENOSPC', 'EDQUOT'];

/** Why a file or folder could not be read, in one sentence for people. */
export const readProblem = (error: unknown): string =>
  READ_PROBLEMS[codeOf(error)] ?? 'It cannot be read from the disk.';

/** Why one file cannot be processed, as a public sentence; the other files continue. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';
}

/** The disk is full: the whole run stops. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
}

/** Translates an error of writing a result. Unknown errors are returned unchanged. */
export const writeProblem = (error: unknown): unknown => {
  const code = codeOf(error);
  if (DISK_FULL.includes(code)) return new DiskFull('The disk is full.', { cause: error });
  const sentence = WRITE_PROBLEMS[code];
  return sentence === undefined ? error : new FileProblem(sentence, { cause: error });
};
