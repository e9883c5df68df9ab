/** Cost of uploads, and of answers while many tasks wait. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ROUTES } from '#shared/api/contract/routes';
import { fakeImage } from '../../../server/testing/cluster/fake-images';
import type { KeptProcess } from '../../../server/testing/cluster/kept-process';
import { sorted } from '../percentile';
import { createClient, uploadAll, type BenchImage, type Client } from './client';

const CONNECTIONS = 16;
const PROBE_PAUSE_MS = 10;

export interface Uploads {
  readonly apis: number;
  readonly uploads: number;
  readonly seconds: number;
  /** In ms, ascending. */
  readonly times: readonly number[];
}

const imagesOf = (count: number, text: string): BenchImage[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `${index}.jpg`,
    bytes: fakeImage(`${text} ${index}`),
  }));

const withClients = async <T>(
  origins: readonly string[],
  work: (clients: readonly Client[]) => Promise<T>,
): Promise<T> => {
  const clients = origins.map((origin) => createClient(origin, CONNECTIONS));
  try {
    return await work(clients);
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
};

/** Uploads small images to all API processes of a cluster, after a warm-up. */
export const measureUploads = (
  { apis }: { readonly apis: readonly Pick<KeptProcess, 'origin'>[] },
  warmUp: number,
  uploads: number,
  parallel?: number,
): Promise<Uploads> =>
  withClients(
    apis.map(({ origin }) => origin),
    async (clients) => {
      await uploadAll(clients, imagesOf(warmUp, 'warm-up'), parallel);
      const startMs = performance.now();
      const { times } = await uploadAll(clients, imagesOf(uploads, `${apis.length} processes`), parallel);
      return {
        ...{ apis: apis.length, uploads },
        seconds: (performance.now() - startMs) / 1000,
        times: sorted(times),
      };
    },
  );

/** Answers of one API process that are requested one after the other. In ms, ascending. */
export interface Latencies {
  readonly statusMs: readonly number[];
  readonly uploadMs: readonly number[];
}

export const measureLatencies = (origin: string, statuses: number, uploads: number): Promise<Latencies> =>
  withClients([origin], async ([client]) => {
    const [statusMs, uploadMs]: [number[], number[]] = [[], []];
    for (let index = 0; index < statuses; index += 1) {
      statusMs.push((await client!.get(ROUTES.getStatus.path)).ms);
      await sleep(PROBE_PAUSE_MS);
    }
    for (const { bytes, name } of imagesOf(uploads, 'one by one')) {
      uploadMs.push((await client!.upload(bytes, name)).ms);
      await sleep(PROBE_PAUSE_MS);
    }
    return { statusMs: sorted(statusMs), uploadMs: sorted(uploadMs) };
  });
