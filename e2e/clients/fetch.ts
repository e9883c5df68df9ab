import { openAsBlob } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, DOWNLOAD_NAMES, FOREIGN_QUERY, isEnd, POLL_MS, save } from './client';

const json = async (answer: Response): Promise<Record<string, string>> => {
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json() as Promise<Record<string, string>>;
};

export const FETCH: Client = {
  name: "Node's fetch",
  run: async (job) => {
    const { origin, image, isAsync } = job;
    const body = new FormData();
    body.append('fileobject', await openAsBlob(image, { type: 'image/jpg' }), 'street.jpg');
    const headers = isAsync ? { 'x-is-async': 'true' } : undefined;
    const posted = fetch(`${origin}/v1/file?${FOREIGN_QUERY}`, {
      method: 'POST',
      body,
      ...(headers ? { headers } : {}),
    });
    const { id = '' } = await json(await posted);
    const task = `${origin}/v1/task/${id}`;
    while (!isEnd((await json(await fetch(task)))['status'])) await sleep(POLL_MS);
    for (const name of DOWNLOAD_NAMES) {
      await save(job, name, await (await fetch(`${origin}/v1/file/${id}/${name}`)).arrayBuffer());
    }
    const { result = '' } = await json(await fetch(task, { method: 'DELETE' }));
    return { id, deleted: result, afterwards: (await fetch(task)).status };
  },
};
