import { expect } from '@playwright/test';
import sharp from 'sharp';
import { ROUTES } from '#shared/api/contract/routes';

/** Records all acknowledged requests, and checks that the server still fulfils them. */
export interface Ledger {
  /** Uploads an image. Without a response nothing is recorded. */
  upload(image: Uint8Array): Promise<void>;
  /** Deletes a task. Without a response the state of the task is unknown. */
  remove(choose: (ids: readonly string[]) => string | undefined, scope: DeleteScope): Promise<void>;
  /** Downloads a result, if it exists yet, and decodes it. */
  download(choose: (ids: readonly string[]) => string | undefined): Promise<void>;
  /** Checks the recorded state of every task, and every result that was not checked before. */
  check(): Promise<void>;
  /** Status of all tasks by id. */
  tasks(): Promise<ReadonlyMap<string, string>>;
  readonly acknowledged: () => { readonly uploads: number; readonly deletions: number };
}

type DeleteScope = 'task-and-files' | 'only-files';

const KEPT_STATUS = /^(queued|processing|done|failed)$/;
const IMAGE_SIDES_PX = { min: 1, max: 4000 };

/** @throws unless the bytes are a complete image */
const expectCompleteImage = async (bytes: ArrayBuffer, what: string): Promise<void> => {
  const { info } = await sharp(new Uint8Array(bytes), { failOn: 'warning' })
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((error: Error) => {
      throw new Error(`${what} is broken: ${error.message}`);
    });
  expect(info.width).toBeGreaterThanOrEqual(IMAGE_SIDES_PX.min);
  expect(info.width).toBeLessThanOrEqual(IMAGE_SIDES_PX.max);
};

export const createLedger = (origin: string): Ledger => {
  const kept = new Set<string>();
  const deleted = new Map<string, DeleteScope>();
  const checked = new Set<string>();
  let uploads = 0;

  const url = (path: string, id = ''): string => origin + path.replace('{id}', id);
  const get = (path: string, id: string): Promise<Response> => fetch(url(path, id));

  const checkResult = async (id: string): Promise<void> => {
    for (const { path } of [ROUTES.getAnonymised, ROUTES.getBinaryMask, ROUTES.getInstanceMask]) {
      const answer = await get(path, id);
      expect(answer.status, `${path} of a done task`).toBe(200);
      await expectCompleteImage(await answer.arrayBuffer(), path);
    }
    const metadata = await get(ROUTES.getMetadata.path, id);
    expect(((await metadata.json()) as { id: string }).id).toBe('a.jpg');
  };
  const tasks = async (): Promise<ReadonlyMap<string, string>> => {
    const answer = await fetch(url(ROUTES.listTasks.path));
    const list = (await answer.json()) as { id: string; status: string }[];
    return new Map(list.map(({ id, status }) => [id, status]));
  };
  return {
    acknowledged: () => ({ uploads, deletions: deleted.size }),
    tasks,
    upload: async (image) => {
      const body = new FormData();
      body.append(
        'fileobject',
        new Blob([image as Uint8Array<ArrayBuffer>], { type: 'image/jpeg' }),
        'a.jpg',
      );
      const headers = { 'x-is-async': 'true' };
      const answer = await fetch(url(ROUTES.uploadFile.path), { method: 'POST', headers, body });
      expect(answer.status, 'an asynchronous upload').toBe(200);
      kept.add(((await answer.json()) as { id: string }).id);
      uploads += 1;
    },
    remove: async (choose, scope) => {
      const id = choose([...kept]);
      if (id === undefined) return;
      kept.delete(id);
      const answer = await fetch(`${url(ROUTES.deleteTask.path, id)}?delete-scope=${scope}`, {
        method: 'DELETE',
      });
      expect(answer.status, 'a deletion').toBe(200);
      await answer.arrayBuffer();
      deleted.set(id, scope);
    },
    download: async (choose) => {
      const id = choose([...kept]);
      if (id === undefined) return;
      const answer = await get(ROUTES.getAnonymised.path, id);
      const body = await answer.arrayBuffer();
      if (answer.status === 200) await expectCompleteImage(body, 'A result that was being waited for');
      // Not done yet, failed, or deleted at the same time: never a fault of ours.
      else expect([404, 422]).toContain(answer.status);
    },
    check: async () => {
      const statuses = await tasks();
      // One `expect` for all: with one for each task, 150 kills took 24 minutes instead of 7.
      const missing = [...kept].filter((id) => !KEPT_STATUS.test(statuses.get(id) ?? ''));
      expect(missing, 'kept tasks that are not in the list').toEqual([]);
      const left = [...deleted].map(([id, scope]) => ({ id, scope, status: statuses.get(id) }));
      const wrong = left.filter(
        ({ scope, status }) => status !== (scope === 'only-files' ? 'deleted' : undefined),
      );
      expect(wrong, 'deleted tasks with another status').toEqual([]);
      for (const [id, status] of statuses) {
        if (status !== 'done' || checked.has(id)) continue;
        await checkResult(id);
        checked.add(id);
      }
    },
  };
};
