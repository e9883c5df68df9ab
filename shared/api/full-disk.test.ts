import { expect, test } from 'vitest';
import { StorageUnavailable } from '../tasks/base/service-unavailable';
import { mustRefuse } from '../testing/conformance';
import { get, upload } from '../testing/conformance-steps';
import { createInProcessHost } from '../testing/in-process-host';
import { createMemoryStorage } from '../testing/memory-storage';

const refusal = new StorageUnavailable('full', new Error('ENOSPC: /home/someone/pictures'));

test.each(['input/', 'output/'])(
  'a disk without space for an %s file is answered with 500 and a sentence, and logged',
  async (folder) => {
    const storage = createMemoryStorage();
    const { write } = storage;
    Object.assign(storage, {
      write: (key: string, bytes: Uint8Array) =>
        key.startsWith(folder) ? Promise.reject(refusal) : write(key, bytes),
    });
    const { send, log } = createInProcessHost({}, { storage });
    mustRefuse(await upload(send), 500, 'no disk space left: delete tasks');
    expect(log.causes).toEqual([refusal]);
    expect(storage.keys()).toEqual([]);
    expect((await get(send, '/v1/status')).status).toBe(200);
  },
);

test('a request that is repeated with its Idempotency-Key gets the same answer', async () => {
  const storage = createMemoryStorage();
  const { write } = storage;
  Object.assign(storage, {
    write: (key: string, bytes: Uint8Array) =>
      key.startsWith('output/') ? Promise.reject(refusal) : write(key, bytes),
  });
  const { send } = createInProcessHost({}, { storage });
  const request = { idempotencyKey: 'once' };
  mustRefuse(await upload(send, request), 500, 'no disk space left: delete tasks');
  mustRefuse(await upload(send, request), 500, 'no disk space left: delete tasks');
});
