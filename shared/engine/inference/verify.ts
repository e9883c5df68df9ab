import type { System } from '../../ports/system';
import type { ModelEntry } from '../../domain/manifest';

/**
 * The content of a model file differs from the manifest's hash or size.
 *
 * Model files are untrusted input: a runtime parses them in native code, so a replaced or truncated file must never
 * reach it.
 */
export class WrongModelFile extends Error {
  override readonly name = 'WrongModelFile';

  constructor(
    readonly publicSentence: string,
    /** Expected and actual value, for the log. */
    readonly detail: string,
  ) {
    super(`${publicSentence} ${detail}`);
  }
}

/**
 * Checks a model file against its manifest entry, before a session is created from it.
 *
 * @throws {WrongModelFile} if its length or SHA-256 differs
 */
export async function verifyModel(
  entry: ModelEntry,
  bytes: Uint8Array,
  system: Pick<System, 'sha256'>,
): Promise<void> {
  if (bytes.byteLength !== entry.bytes) {
    throw wrongModelFile(entry, `${entry.bytes} bytes`, `${bytes.byteLength} bytes`);
  }
  const sha256 = await system.sha256(bytes);
  if (sha256 !== entry.sha256) throw wrongModelFile(entry, `SHA-256 ${entry.sha256}`, sha256);
}

const wrongModelFile = ({ file }: ModelEntry, expected: string, found: string): WrongModelFile =>
  new WrongModelFile(
    `The model file ${file} is damaged or was exchanged, so it was not loaded: restore it from the release.`,
    `(Expected ${expected}, found ${found}.)`,
  );
