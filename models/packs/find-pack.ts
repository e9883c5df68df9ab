import { readFile, stat } from 'node:fs/promises';
import { BadPack, PACK_LIMITS, parsePack, type Pack } from '#shared/engine/packs/packs';
import { isAddress, readAddress } from './address';
import { describeFile } from './describe-file';
import { downloadSmall } from './download';
import { KNOWN_PACKS, RECOMMENDED, RECOMMENDED_PACKS } from './known-packs';
import { DESCRIPTION, isArchive, MAX_DESCRIPTION_BYTES, readArchive } from './read-archive';
import { Refusal } from './refusal';

/** A pack with the model files that came with its description. */
export interface FoundPack {
  readonly pack: Pack;
  /** Model files of the same archive, by name. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Address of the description, to which the addresses of its models may be relative. */
  readonly base: URL | undefined;
}

/** Archives are held in memory. */
const MAX_ARCHIVE_BYTES = PACK_LIMITS.bytesPerModel;

const OPENING_BRACE = 0x7b;
/** Whether the file begins like a JSON object, after an optional byte order mark or spaces. */
const isDescription = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 64)).toString('utf8').trimStart().codePointAt(0) === OPENING_BRACE;

const parse = (bytes: Uint8Array): Pack => {
  if (bytes.length > MAX_DESCRIPTION_BYTES) {
    throw new Refusal(`The pack description is longer than ${MAX_DESCRIPTION_BYTES} bytes.`);
  }
  try {
    return parsePack(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch (cause) {
    if (cause instanceof BadPack) throw new Refusal(cause.message, { cause });
    throw new Refusal('The file is not a pack description: it is not JSON.', { cause });
  }
};

const readBare = async (bytes: Uint8Array, path: string): Promise<FoundPack> => {
  const pack = await describeFile(bytes, path, KNOWN_PACKS);
  return { pack, files: new Map(pack.models.map(({ file }) => [file, bytes])), base: undefined };
};

const read = async (bytes: Uint8Array, named: string, base: URL | undefined): Promise<FoundPack> => {
  if (isDescription(bytes)) return { pack: parse(bytes), files: new Map(), base };
  if (!isArchive(bytes)) return readBare(bytes, named);
  const files = readArchive(bytes);
  const description = files.get(DESCRIPTION);
  if (!description) throw new Refusal(`The archive has no ${DESCRIPTION}.`);
  return { pack: parse(description), files, base: undefined };
};

const asFound = (pack: Pack): FoundPack => ({ pack, files: new Map(), base: undefined });

/**
 * Finds the pack that a user names: by its name in the catalogue, or by the path or address of a description, an
 * archive or a single model.
 *
 * @throws {Refusal}
 */
export const findPack = async (named: string): Promise<FoundPack> => {
  const known = KNOWN_PACKS.find(({ id }) => id === named);
  if (known) return asFound(known);
  if (isAddress(named)) {
    const url = readAddress(named);
    return read(await downloadSmall(url, MAX_ARCHIVE_BYTES), url.pathname, url);
  }
  const size = await stat(named).then(
    (stats) => (stats.isFile() ? stats.size : undefined),
    () => undefined,
  );
  if (size === undefined) {
    throw new Refusal(`There is no pack and no file named ${named}. \`list\` shows the known packs.`);
  }
  if (size > MAX_ARCHIVE_BYTES) throw new Refusal(`The file ${named} exceeds the size limit of a pack.`);
  return read(await readFile(named), named, undefined);
};

/** Finds the packs that a user names: one, or the recommended ones. @throws {Refusal} */
export const findPacks = async (named: string): Promise<readonly FoundPack[]> =>
  named === RECOMMENDED ? RECOMMENDED_PACKS.map(asFound) : [await findPack(named)];
