import type { ReportSigner, Signature } from '#shared/ports/report-signer';

const STORED_AS = 'veil-report-key';
const ALGORITHM = 'Ed25519';

/** Generates a key and keeps it for later visits. */
const generateKey = async (): Promise<JsonWebKey> => {
  const { privateKey } = (await crypto.subtle.generateKey(ALGORITHM, true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair;
  const key = await crypto.subtle.exportKey('jwk', privateKey);
  localStorage.setItem(STORED_AS, JSON.stringify(key));
  return key;
};

/** One tab at a time: all tabs sign with one key. */
const storedOrNewKey = (): Promise<JsonWebKey> =>
  navigator.locks.request(STORED_AS, async () => {
    const stored = localStorage.getItem(STORED_AS);
    return stored === null ? generateKey() : (JSON.parse(stored) as JsonWebKey);
  });

const bytesOfBase64Url = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );

const signWith = async (key: JsonWebKey, bytes: Uint8Array): Promise<Signature> => {
  const privateKey = await crypto.subtle.importKey('jwk', key, ALGORITHM, false, ['sign']);
  const value = await crypto.subtle.sign(ALGORITHM, privateKey, bytes as BufferSource);
  return { publicKey: bytesOfBase64Url(key.x ?? ''), value: new Uint8Array(value) };
};

/**
 * Signs reports with the key of this browser, which is generated with the first report and kept beside the settings.
 *
 * Browsers without Ed25519, and those that store nothing, have no key: a key that is lost with the page would not show
 * that two reports have the same signer.
 */
export const reportSigner: ReportSigner = {
  sign: async (bytes) => {
    try {
      return await signWith(await storedOrNewKey(), bytes);
    } catch {
      return undefined;
    }
  },
};
