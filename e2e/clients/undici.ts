import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { FormData, Pool } from 'undici';
import { type Client, DOWNLOAD_NAMES, FOREIGN_QUERY, isEnd, POLL_MS, save } from './client';

const ask = async (pool: Pool, method: 'GET' | 'DELETE', path: string): Promise<Record<string, string>> => {
  const { statusCode, body } = await pool.request({ method, path });
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${await body.text()}`);
  return body.json() as Promise<Record<string, string>>;
};

/** A pool of kept-alive connections with several requests each. */
export const UNDICI: Client = {
  name: 'undici',
  run: async (job) => {
    const pool = new Pool(job.origin, { connections: 2 });
    try {
      const form = new FormData();
      form.append('fileobject', new File([await readFile(job.image)], 'street.jpg', { type: 'image/jpg' }));
      const headers = { 'x-is-async': job.isAsync ? 'True' : 'False' };
      const path = `/v1/file?${FOREIGN_QUERY}`;
      const posted = await pool.request({ method: 'POST', path, headers, body: form });
      const { id } = (await posted.body.json()) as { id: string };
      while (!isEnd((await ask(pool, 'GET', `/v1/task/${id}`))['status'])) await sleep(POLL_MS);
      for (const name of DOWNLOAD_NAMES) {
        const { body } = await pool.request({ method: 'GET', path: `/v1/file/${id}/${name}` });
        await save(job, name, await body.arrayBuffer());
      }
      const { result = '' } = await ask(pool, 'DELETE', `/v1/task/${id}`);
      const afterwards = await pool.request({ method: 'GET', path: `/v1/task/${id}` });
      await afterwards.body.dump();
      return { id, deleted: result, afterwards: afterwards.statusCode };
    } finally {
      await pool.close();
    }
  },
};
