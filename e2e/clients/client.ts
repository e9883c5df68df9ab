import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Job of a client: URL of the service, image to upload, and folder for downloads. */
export interface ClientJob {
  readonly origin: string;
  readonly image: string;
  readonly folder: string;
  readonly isAsync: boolean;
}

/** Report that a client writes to its folder, next to {@link DOWNLOADS}. No other file is read. */
export interface ClientReport {
  readonly id: string;
  /** `result` of the deletion. */
  readonly deleted: string;
  /** Status of the task's record after the deletion. */
  readonly afterwards: number;
}

/** An independent HTTP client. It uploads, waits, downloads all results and deletes the task, like a user's script. */
export interface Client {
  readonly name: string;
  /** Why the client cannot run on this machine; undefined if it can. */
  readonly missing?: () => string | undefined;
  readonly run: (job: ClientJob) => Promise<ClientReport>;
}

/** File names in a client's folder, by the last part of the URL. */
export const DOWNLOADS = {
  anonymised: 'anonymised.jpg',
  'binary-mask': 'binary-mask.png',
  'instance-mask': 'instance-mask.png',
  metadata: 'metadata.json',
} as const;
export const DOWNLOAD_NAMES = Object.keys(DOWNLOADS) as (keyof typeof DOWNLOADS)[];

/**
 * The query of clients that were written for another server of this contract: booleans in Python's notation, parameters
 * that the contract does not list, an empty one, and a `format` that is not JSON.
 */
export const FOREIGN_QUERY = new URLSearchParams({
  method: 'blur',
  debug: 'False',
  face: 'True',
  license_plate: 'True',
  person: 'False',
  vehicle: 'False',
  save_mask: '',
  watermark: 'False',
  quality: '0',
  ignores: '[]',
  format: 'whole',
}).toString();

/** Such clients poll until the status is one of these. */
export const isEnd = (status: unknown): boolean =>
  status === 'done' || status === 'failed' || status === 'deleted';

export const POLL_MS = 100;

export const save = (
  { folder }: ClientJob,
  name: keyof typeof DOWNLOADS,
  bytes: ArrayBuffer,
): Promise<void> => writeFile(join(folder, DOWNLOADS[name]), new Uint8Array(bytes));
