import { readFile, stat } from 'node:fs/promises';
import { BadPack, PACK_LIMITS, parsePack, type Pack } from '#shared/engine/packs/packs';
import catalogue from './catalogue.json' with { type: 'json' };
import { isAddress, readAddress } from './address';
import { describeFile } from './describe-file';
import { downloadSmall } from './download';
import { DESCRIPTION, isArchive, MAX_DESCRIPTION_BYTES, readArchive } from './read-archive';
import { Refusal } from './refusal';

/** A pack, and the files beside its description. */
export interface FoundPack {
  readonly pack: Pack;
  /** Models of the same archive, by file name. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Where a description was read; its models' addresses may be relative to it. */
  readonly base: URL | undefined;
}

export const KNOWN_PACKS: readonly Pack[] = catalogue.packs.map(parsePack);

/** An archive is held in memory, and its models are at most as large as this allows. */
const MAX_ARCHIVE_BYTES = PACK_LIMITS.bytesPerModel;

const OBJECT_BEGINS = 0x7b;
/** A description begins as JSON does; a byte order mark or spaces are no reason to take it for something else. */
const isDescription = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 64)).toString('utf8').trimStart().codePointAt(0) === OBJECT_BEGINS;

const parse = (bytes: Uint8Array): Pack => {
  if (bytes.length > MAX_DESCRIPTION_BYTES) throw new Refusal('A description of a pack is never so long.');
  try {
    return parsePack(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch (cause) {
    if (cause instanceof BadPack) throw new Refusal(cause.message, { cause });
    throw new Refusal('This is no description of a pack: it is not JSON.', { cause });
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

/**
 * Finds a pack by what a user names: a name from the catalogue, or a description, an archive or a lone model in a file
 * or at an address.
 *
 * @throws {Refusal}
 */
export const findPack = async (named: string): Promise<FoundPack> => {
  const known = KNOWN_PACKS.find(({ id }) => id === named);
  if (known) return { pack: known, files: new Map(), base: undefined };
  if (isAddress(named)) {
    const url = readAddress(named);
    return read(await downloadSmall(url, MAX_ARCHIVE_BYTES), url.pathname, url);
  }
  const size = await stat(named).then(
    (stats) => (stats.isFile() ? stats.size : undefined),
    () => undefined,
  );
  if (size === undefined) {
    throw new Refusal(
      `There is no pack and no file named ${named}; \`list\` shows the packs that are known.`,
    );
  }
  if (size > MAX_ARCHIVE_BYTES) throw new Refusal(`The file ${named} is larger than a pack may be.`);
  return read(await readFile(named), named, undefined);
};
