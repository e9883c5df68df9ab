import type { Report } from '#shared/api/contract/schemas-report';
import { publicKeyPem } from '#shared/report/public-key-pem';
import type { ZipEntry } from './zip';

const KEY_FILE = 'report-public-key.pem';

/** Public keys of the signers of exported reports. */
export interface SignerKeys {
  /** Notes the signer of a report. */
  note(report: Blob): Promise<void>;
  /** One file for each key. */
  files(): readonly ZipEntry[];
}

/** Starts without keys. */
export const createSignerKeys = (): SignerKeys => {
  const keys = new Set<string>();
  return {
    note: async (report) => {
      const { signature } = JSON.parse(await report.text()) as Pick<Report, 'signature'>;
      if (signature) keys.add(publicKeyPem(signature));
    },
    files: () => [...keys].map((pem) => ({ name: KEY_FILE, file: new Blob([pem]) })),
  };
};
