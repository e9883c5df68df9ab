import type { ReportSigner } from '#shared/ports/report-signer';
import { log } from './log';
import { signingKeys } from './signing-keys';

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
