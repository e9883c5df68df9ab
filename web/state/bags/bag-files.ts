import { isAnyBag, otherBag } from '#shared/media/mcap/other-bags';

/** So much of a file's beginning tells whether it is a bag. */
const HEAD_BYTES = 32;

const headOf = async (file: File): Promise<Uint8Array> =>
  new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());

/** Why a bag of another format than MCAP is refused; undefined: the file is none. */
export const otherBagSentence = async (file: File): Promise<string | undefined> =>
  otherBag(file.name, await headOf(file))?.message;

/** The bags among files, by their content. */
export const bagsAmong = async (files: readonly File[]): Promise<readonly File[]> => {
  const isBag = await Promise.all(
    files.map(async (file) => {
      const head = await headOf(file).catch(() => new Uint8Array(0)); // a folder, or a file that is gone
      return isAnyBag(file.name, head);
    }),
  );
  return files.filter((_, at) => isBag[at]);
};
