import type { ReportSigner, Signature } from '../ports/report-signer';
import { canonicalJson } from './canonical-json';
import { toHex } from './hex';

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
