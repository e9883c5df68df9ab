import type { Report } from '#shared/api/contract/schemas-report';
import { publicKeyPem } from '#shared/report/public-key-pem';
import type { ZipEntry } from './zip';

const KEY_FILE = 'report-public-key.pem';

/** Public keys of the signers of exported reports. */
export interface SignerKeys {
  /** Notes the signer of a report, or that it has none. */
  note(report: Blob): Promise<void>;
  /** One file for each key. */
  files(): readonly ZipEntry[];
  /** Whether a noted report has no signature. */
  isAnyMissing(): boolean;
}

/** Starts without keys. */
export const createSignerKeys = (): SignerKeys => {
  const keys = new Set<string>();
  let isAnyMissing = false;
  return {
    note: async (report) => {
      const { signature } = JSON.parse(await report.text()) as Pick<Report, 'signature'>;
      if (signature) keys.add(publicKeyPem(signature));
      else isAnyMissing = true;
    },
    files: () => [...keys].map((pem) => ({ name: KEY_FILE, file: new Blob([pem]) })),
    isAnyMissing: () => isAnyMissing,
  };
};
