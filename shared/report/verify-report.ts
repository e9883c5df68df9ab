import {
  type FileDigest,
  type ReportSignature,
  type VerifiableReport,
  canonicalJson,
  NotCanonical,
  REPORT_FORMAT,
  signedBytes,
  SIGNATURE_ALGORITHM,
} from './signed-report';
import { fromHex } from './byte-text';

/** Bytes that are no report of a known version. The message is the reason. */
class NoReport extends Error {
  override readonly name = 'NoReport';
}

/** Digest and size of a file that is compared with a report. */
interface Compared {
  readonly sha256: string;
  readonly size: number;
}

/** The result that is compared with a report. */
export interface ComparedFile extends Compared {
  /** The log of its redactions; undefined: it is not compared. */
  readonly log?: Compared | undefined;
}

/** Whether a signature of these bytes was made with the private key of a public one. */
export type IsSignedBy = (publicKey: Uint8Array, value: Uint8Array, bytes: Uint8Array) => boolean;

export interface Verification {
  /** Whether report and file belong together and are unmodified. */
  readonly isFine: boolean;
  /** One sentence. */
  readonly sentence: string;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDigest = (value: unknown): value is FileDigest =>
  isObject(value) &&
  (value['sha256'] === null || typeof value['sha256'] === 'string') &&
  (value['size'] === null || typeof value['size'] === 'number');

const isLogs = (value: unknown): boolean =>
  isObject(value) && isDigest(value['json']) && isDigest(value['csv']);

const isHex = (value: unknown, bytes: number): boolean =>
  typeof value === 'string' && value.length === 2 * bytes && /^[\da-f]*$/.test(value);

const isSignature = (value: unknown): value is ReportSignature =>
  isObject(value) &&
  value['algorithm'] === SIGNATURE_ALGORITHM &&
  isHex(value['public_key'], 32) &&
  isHex(value['value'], 64);

const isReport = (value: unknown): value is VerifiableReport =>
  isObject(value) &&
  value['format'] === REPORT_FORMAT &&
  isDigest(value['source']) &&
  (value['redactions'] === undefined || isLogs(value['redactions'])) &&
  (value['result'] === null || isDigest(value['result'])) &&
  (value['signature'] === null || isSignature(value['signature']));

const textOf = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NoReport('it is not UTF-8 text');
  }
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new NoReport('it is not valid JSON');
  }
};

/** @throws {NoReport} where the text is not a report of this version */
const readReport = (text: string): VerifiableReport => {
  const value = parse(text);
  if (!isReport(value)) throw new NoReport(`it does not have the format ${REPORT_FORMAT}`);
  return value;
};

const areSame = (digest: FileDigest, file: Compared): boolean =>
  digest.sha256 === file.sha256 && digest.size === file.size;

const problemOfFile = ({ source, result }: VerifiableReport, file: ComparedFile): string | undefined => {
  if (result !== null && areSame(result, file)) return undefined;
  if (areSame(source, file)) return 'The file is the source that the report names, not its result.';
  if (result === null) return 'The report names no result, because nothing was anonymised.';
  if (result.sha256 === null) return 'The report does not contain the SHA-256 of its result.';
  return 'The file does not match the report: it was modified, or the report belongs to another file.';
};

const problemOfLog = ({ redactions }: VerifiableReport, { log }: ComparedFile): string | undefined => {
  if (!log) return undefined;
  if (!redactions) return 'The report names no log: it was written by an earlier version of Veil.';
  return areSame(redactions.json, log) || areSame(redactions.csv, log)
    ? undefined
    : 'The log does not match the report: it was modified, or it belongs to another report.';
};

/** @returns undefined for a value that Veil cannot have written, such as one that is nested too deeply to be read */
const canonicalText = (report: VerifiableReport): string | undefined => {
  try {
    return canonicalJson(report);
  } catch (error) {
    if (error instanceof NotCanonical || error instanceof RangeError) return undefined;
    throw error;
  }
};

/** The same text for the same report: other spaces, or a member twice, would not change what the signature covers. */
const isInCanonicalForm = (text: string, report: VerifiableReport): boolean =>
  text.replace(/\r?\n$/, '') === canonicalText(report);

const problemOfSignature = (
  report: VerifiableReport,
  text: string,
  key: Uint8Array | undefined,
  isSignedBy: IsSignedBy,
): string | undefined => {
  const { signature } = report;
  if (signature === null) return 'The report is not signed, so that changes of it cannot be detected.';
  if (!isInCanonicalForm(text, report)) return 'The report was modified after it was written.';
  const own = fromHex(signature.public_key);
  const value = fromHex(signature.value);
  if (!isSignedBy(own, value, signedBytes(report))) return 'The report was modified after it was signed.';
  const isOfKey = key === undefined || key.every((byte, index) => byte === own[index]);
  return isOfKey ? undefined : 'The report was signed with another key.';
};

const matchOf = ({ log }: ComparedFile): string =>
  log
    ? 'The file, the log and the report match, and none of them was modified'
    : 'The file and the report match, and neither was modified';

const verificationOf = (
  text: string,
  file: ComparedFile,
  key: Uint8Array | undefined,
  isSignedBy: IsSignedBy,
): Verification => {
  const report = readReport(text);
  const problem =
    problemOfSignature(report, text, key, isSignedBy) ??
    problemOfFile(report, file) ??
    problemOfLog(report, file);
  if (problem !== undefined) return { isFine: false, sentence: problem };
  const match = matchOf(file);
  const sentence = key
    ? `${match}.`
    : `${match} after signing, but the signer is unknown, because no key is given.`;
  return { isFine: true, sentence };
};

/**
 * Compares a report with a file.
 *
 * The text of a signed report must be in canonical form, apart from one line break at its end: a reader who takes the
 * first of two equal members must see what was signed. Bytes that are no report do not match either, because a
 * modified report may not even be JSON.
 *
 * @param bytes of the report
 * @param key public key of the expected signer; undefined: any signer is accepted
 */
export const verifyReport = (
  bytes: Uint8Array,
  file: ComparedFile,
  key: Uint8Array | undefined,
  isSignedBy: IsSignedBy,
): Verification => {
  try {
    return verificationOf(textOf(bytes), file, key, isSignedBy);
  } catch (error) {
    if (!(error instanceof NoReport)) throw error;
    return { isFine: false, sentence: `The report was modified, or it is no report: ${error.message}.` };
  }
};
