import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import type { ReportSigner } from '#shared/ports/system';
import type { IsSignedBy } from '#shared/report/verify-report';

/** Beginning of an Ed25519 public key in DER; the 32 bytes of the key follow. @see RFC 8410, section 4 */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** The form of a private key, for error messages. */
export const PRIVATE_KEY_FORM =
  'an unencrypted Ed25519 private key in PEM, as `openssl genpkey -algorithm ed25519` writes it';
/** The form of a public key, for error messages. */
export const PUBLIC_KEY_FORM = 'an Ed25519 public key in PEM, as `openssl pkey -pubout` writes it';

const keyOf = (read: () => KeyObject): KeyObject | undefined => {
  try {
    const key = read();
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
};

const rawKeyOf = (key: KeyObject): Uint8Array =>
  new Uint8Array(key.export({ format: 'der', type: 'spki' }).subarray(SPKI_PREFIX.length));

/** @returns undefined if the text is not a key in `PRIVATE_KEY_FORM` */
export const readPrivateKey = (pem: string): KeyObject | undefined => keyOf(() => createPrivateKey(pem));

/** The 32 bytes of a key. @returns undefined if the text is not in `PUBLIC_KEY_FORM` */
export const readPublicKey = (pem: string): Uint8Array | undefined => {
  // Node also derives a public key from a private one, which must not be passed around for checks.
  if (pem.includes('PRIVATE KEY')) return undefined;
  const key = keyOf(() => createPublicKey(pem));
  return key && rawKeyOf(key);
};

/** The 32 bytes of the public key that belongs to a private one. */
export const publicKeyOf = (key: KeyObject): Uint8Array => rawKeyOf(createPublicKey(key));

export const createReportSigner = (key: KeyObject): ReportSigner => {
  const publicKey = publicKeyOf(key);
  return { sign: async (bytes) => ({ publicKey, value: sign(null, bytes, key) }) };
};

export const isSignedBy: IsSignedBy = (publicKey, value, bytes) => {
  const key = keyOf(() =>
    createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' }),
  );
  return key !== undefined && verify(null, bytes, key, value);
};
