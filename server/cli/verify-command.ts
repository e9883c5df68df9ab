import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { verifyReport, type ComparedFile, type Verification } from '#shared/report/verify-report';
import { isSignedBy, PUBLIC_KEY_FORM, readPublicKey } from '../adapters/report-keys';
import { FlagError } from './flag';

/** The arguments of `veil verify`. */
export interface VerifyTask {
  /** Path of the report. */
  readonly report: string;
  /** Path of the file that is compared with it. */
  readonly file: string;
  /** Path of the log of its redactions; undefined: it is not checked. */
  readonly log?: string | undefined;
  /** Path of the signer's public key; undefined: the signer is not checked. */
  readonly key: string | undefined;
  /** Whether a report without a known signer is enough. */
  readonly isAnySignerAccepted: boolean;
}

/** Exit codes of `veil verify`. Code 2 is a wrong flag, as for all commands. */
export const VERIFY_EXIT = {
  /** Report and file match, and the signer is known or of no importance. */
  fine: 0,
  differs: 1,
  /**
   * Report and file match, but no key was given: whoever changed both could have signed them again. A script that
   * reads only the exit code must not take this for a proof.
   */
  signerUnknown: 3,
} as const;

/** The exit code for a verification. */
export const exitCodeOf = ({ isFine }: Verification, { key, isAnySignerAccepted }: VerifyTask): number => {
  if (!isFine) return VERIFY_EXIT.differs;
  return key === undefined && !isAnySignerAccepted ? VERIFY_EXIT.signerUnknown : VERIFY_EXIT.fine;
};

/** @param what names the file at the start of a sentence @throws FlagError */
const readBytes = (path: string, what: string): Uint8Array => {
  try {
    return readFileSync(path);
  } catch {
    throw new FlagError(`${what} ${path} cannot be read.`);
  }
};

const keyOf = (path: string): Uint8Array => {
  const key = readPublicKey(new TextDecoder().decode(readBytes(path, 'The key')));
  if (!key) throw new FlagError(`The file ${path} of --key must contain ${PUBLIC_KEY_FORM}.`);
  return key;
};

/** Reads the file once, in pieces. */
const describeFile = async (path: string): Promise<Omit<ComparedFile, 'log'>> => {
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(piece);
      size += piece.byteLength;
    }
  } catch {
    throw new FlagError(`The file ${path} cannot be read.`);
  }
  return { sha256: hash.digest('hex'), size };
};

/**
 * Compares a report with a file, for `veil verify`.
 *
 * @throws FlagError if the report, the file or the key cannot be read
 */
export const verifyFiles = async ({
  report,
  file,
  log,
  key,
}: Omit<VerifyTask, 'isAnySignerAccepted'>): Promise<Verification> => {
  const publicKey = key === undefined ? undefined : keyOf(key);
  const bytes = readBytes(report, 'The report');
  const compared = {
    ...(await describeFile(file)),
    ...(log !== undefined && { log: await describeFile(log) }),
  };
  return verifyReport(bytes, compared, publicKey, isSignedBy);
};
