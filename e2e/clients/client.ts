import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a client is told: where the service is, which picture to send, and where its downloads go. */
export interface ClientJob {
  readonly origin: string;
  readonly picture: string;
  readonly folder: string;
  readonly isAsync: boolean;
}

/** What a client leaves in its folder, beside {@link DOWNLOADS}: nothing else is taken from it. */
export interface ClientReport {
  readonly id: string;
  /** `result` of the deletion. */
  readonly deleted: string;
  /** Status of the task's record after the deletion. */
  readonly afterwards: number;
}

/** Somebody else's way to speak HTTP. It uploads, waits, downloads everything and deletes, as a user's script would. */
export interface Client {
  readonly name: string;
  /** Why it cannot be tried here; undefined: it can. */
  readonly missing?: () => string | undefined;
  readonly run: (job: ClientJob) => Promise<ClientReport>;
}

/** Files in a client's folder, by the end of the address that they come from. */
export const DOWNLOADS = {
  anonymised: 'anonymised.jpg',
  'binary-mask': 'binary-mask.png',
  'instance-mask': 'instance-mask.png',
  metadata: 'metadata.json',
} as const;
export const DOWNLOAD_NAMES = Object.keys(DOWNLOADS) as (keyof typeof DOWNLOADS)[];

/**
 * The query of clients that were written for this contract elsewhere: booleans as Python writes them, parameters that
 * the contract does not list, an empty one, and a `format` that is no JSON.
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

/** Such clients go on asking until they see one of these. */
export const isEnd = (status: unknown): boolean =>
  status === 'done' || status === 'failed' || status === 'deleted';

export const POLL_MS = 100;

export const save = (
  { folder }: ClientJob,
  name: keyof typeof DOWNLOADS,
  bytes: ArrayBuffer,
): Promise<void> => writeFile(join(folder, DOWNLOADS[name]), new Uint8Array(bytes));
