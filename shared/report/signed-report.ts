import type { ReportSigner, Signature } from '../ports/system';
import { base64, fromHex, toHex } from './byte-text';

/** A value that has no canonical form. */
export class NotCanonical extends Error {
  override readonly name = 'NotCanonical';
}

const LONE_SURROGATE = /\p{Surrogate}/u;

const textOfString = (value: string): string => {
  if (LONE_SURROGATE.test(value)) throw new NotCanonical('A string is not valid Unicode.');
  return JSON.stringify(value);
};

const textOfNumber = (value: number): string => {
  if (!Number.isFinite(value)) throw new NotCanonical('A number is not finite.');
  return JSON.stringify(value);
};

const textOfObject = (value: object): string => {
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    // By UTF-16 code units, as `<` compares strings.
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${textOfString(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
};

/**
 * The canonical JSON of a value, so that equal values have equal bytes and a signature of them can be checked.
 *
 * Strings and numbers are written by `JSON.stringify`: RFC 8785 prescribes the form that ECMAScript defines. Members
 * of objects without a value are left out.
 *
 * @throws {NotCanonical} for values that JSON cannot represent
 * @see RFC 8785, section 3.2
 */
export const canonicalJson = (value: unknown): string => {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return textOfString(value);
  if (typeof value === 'number') return textOfNumber(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object') return textOfObject(value);
  throw new NotCanonical(`A value of the type ${typeof value} has no JSON.`);
};

/** Names what a report is, and its version. */
export const REPORT_FORMAT = 'veil-report-1';
export const SIGNATURE_ALGORITHM = 'Ed25519';

/** Digest and size of a file; null where they were not recorded. */
export interface FileDigest {
  /** Of all bytes, as 64 hexadecimal digits. */
  readonly sha256: string | null;
  /** In bytes. */
  readonly size: number | null;
}

export interface ReportSignature {
  readonly algorithm: typeof SIGNATURE_ALGORITHM;
  /** 32 bytes as hexadecimal digits. */
  readonly public_key: string;
  /** 64 bytes as hexadecimal digits: the signature of the canonical JSON of the report without `signature`. */
  readonly value: string;
}

/** The fields of a report that its check reads. */
export interface VerifiableReport {
  readonly format: typeof REPORT_FORMAT;
  readonly source: FileDigest;
  /** Null where nothing was anonymised. */
  readonly result: FileDigest | null;
  /** Both forms of the log of the result; absent in reports of earlier versions. */
  readonly redactions?: { readonly json: FileDigest; readonly csv: FileDigest };
  /** Null where the host had no key. */
  readonly signature: ReportSignature | null;
}

/** The bytes that a signature covers. */
export const signedBytes = ({ signature: _itself, ...rest }: VerifiableReport): Uint8Array =>
  new TextEncoder().encode(canonicalJson(rest));

const asField = ({ publicKey, value }: Signature): ReportSignature => ({
  algorithm: SIGNATURE_ALGORITHM,
  public_key: toHex(publicKey),
  value: toHex(value),
});

/** Signs a report. @param signer undefined: the report has no signature, and states that */
export const signReport = async <Unsigned extends Omit<VerifiableReport, 'signature'>>(
  report: Unsigned,
  signer: ReportSigner | undefined,
): Promise<Unsigned & Pick<VerifiableReport, 'signature'>> => {
  const signature = await signer?.sign(new TextEncoder().encode(canonicalJson(report)));
  return { ...report, signature: signature ? asField(signature) : null };
};

/** Beginning of an Ed25519 public key in DER. @see RFC 8410, section 4 */
const SPKI_PREFIX = '302a300506032b6570032100';

/** The public key of a signature in PEM, as `veil verify --key` reads it. */
export const publicKeyPem = ({ public_key }: Pick<ReportSignature, 'public_key'>): string =>
  `-----BEGIN PUBLIC KEY-----\n${base64(fromHex(SPKI_PREFIX + public_key))}\n-----END PUBLIC KEY-----\n`;
