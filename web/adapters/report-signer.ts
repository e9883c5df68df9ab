import type { ReportSigner } from '#shared/ports/system';
import { log } from './log';

/** The keys with which this browser signs reports, kept in IndexedDB. */

const DATABASE = 'veil-signing-keys';
const STORE = 'keys';
const ID = 'report';

const ALGORITHM = 'Ed25519';

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser gives no reason.'));
  });

const openDatabase = (): Promise<IDBDatabase> => {
  const opening = indexedDB.open(DATABASE);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  return settled(opening);
};

/** Reads the kept keys, or generates and keeps new ones. */
const keptOrNewKeys = async (database: IDBDatabase): Promise<CryptoKeyPair> => {
  const find = database.transaction(STORE).objectStore(STORE).get(ID) as IDBRequest<
    CryptoKeyPair | undefined
  >;
  const kept = await settled(find);
  if (kept) return kept;
  const keys = (await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify'])) as CryptoKeyPair;
  await settled(database.transaction(STORE, 'readwrite').objectStore(STORE).put(keys, ID));
  return keys;
};

/**
 * The keys of this browser, the same on each visit and in all tabs. No script can read the private one, not even one
 * of the page: it can be used, but not taken away.
 *
 * @throws Error in browsers without Ed25519, and in those that keep no keys, such as some private windows
 */
export const signingKeys = (): Promise<CryptoKeyPair> =>
  navigator.locks.request(DATABASE, async () => {
    const database = await openDatabase();
    try {
      return await keptOrNewKeys(database);
    } finally {
      database.close();
    }
  });

/**
 * Signs reports with the key of this browser, which is generated with the first report.
 *
 * Browsers without Ed25519, and those that keep no keys, sign nothing: a key that is lost with the page would not show
 * that two reports have the same signer.
 */
export const reportSigner: ReportSigner = {
  sign: async (bytes) => {
    try {
      const { privateKey, publicKey } = await signingKeys();
      const value = await crypto.subtle.sign(privateKey.algorithm.name, privateKey, bytes as BufferSource);
      return {
        publicKey: new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)),
        value: new Uint8Array(value),
      };
    } catch (cause) {
      log.error('This browser keeps no key for signatures; reports are not signed', cause);
      return undefined;
    }
  },
};
