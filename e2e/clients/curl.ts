import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installedCurl } from '../run/find-clients';
import { type Client, DOWNLOAD_NAMES, DOWNLOADS, FOREIGN_QUERY, isEnd, POLL_MS } from './client';
import { runProgram } from './programs';

const curl = (...args: readonly string[]): Promise<string> => runProgram('curl', ['-sS', ...args]);
const curlJson = async (...args: readonly string[]): Promise<Record<string, string>> =>
  JSON.parse(await curl('--fail-with-body', ...args)) as Record<string, string>;

export const CURL: Client = {
  name: 'curl -F',
  missing: () => (installedCurl() ? undefined : 'There is no curl.'),
  run: async ({ origin, image, folder, isAsync }) => {
    const header = isAsync ? ['-H', 'x-is-async: 1'] : [];
    const part = `fileobject=@${image};type=image/jpg;headers="Expires: 0"`;
    const { id = '' } = await curlJson(...header, '-F', part, `${origin}/v1/file?${FOREIGN_QUERY}`);
    const task = `${origin}/v1/task/${id}`;
    while (!isEnd((await curlJson(task))['status'])) await sleep(POLL_MS);
    for (const name of DOWNLOAD_NAMES) {
      await curl('--fail-with-body', '-o', join(folder, DOWNLOADS[name]), `${origin}/v1/file/${id}/${name}`);
    }
    const { result = '' } = await curlJson('-X', 'DELETE', task);
    const afterwards = await curl('-o', join(folder, 'gone.json'), '-w', '%{http_code}', task);
    return { id, deleted: result, afterwards: Number(afterwards) };
  },
};
