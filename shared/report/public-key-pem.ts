import { base64 } from './base64';
import { fromHex } from './hex';
import type { ReportSignature } from './signed-report';

/** Beginning of an Ed25519 public key in DER. @see RFC 8410, section 4 */
const SPKI_PREFIX = '302a300506032b6570032100';

/** The public key of a signature in PEM, as `veil verify --key` reads it. */
export const publicKeyPem = ({ public_key }: Pick<ReportSignature, 'public_key'>): string =>
  `-----BEGIN PUBLIC KEY-----\n${base64(fromHex(SPKI_PREFIX + public_key))}\n-----END PUBLIC KEY-----\n`;
