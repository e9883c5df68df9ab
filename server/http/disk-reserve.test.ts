import { describe, expect, it } from 'vitest';
import { createDiskReserve } from './disk-reserve';

const GIB = 1024 ** 3;

/** A request whose socket has received so many bytes. */
const request = (length: number | undefined) => {
  const socket = { bytesRead: 0 };
  const headers = length === undefined ? {} : { 'content-length': String(length) };
  return { headers, socket } as unknown as Parameters<ReturnType<typeof createDiskReserve>['receive']>[0] & {
    readonly socket: { bytesRead: number };
  };
};

const open = (free: Readonly<Record<string, number>>) =>
  createDiskReserve({
    folders: Object.keys(free),
    reserveBytes: GIB,
    maxUploadBytes: 2 * GIB,
    freeBytes: async (folder) => free[folder]!,
  });

const received = async () => 'received';
const REFUSED = { code: 'disk_reserve', status: 503 };

describe('an upload', () => {
  it('is received if the reserve stays free after it', async () => {
    expect(await open({ in: 3 * GIB }).receive(request(2 * GIB), received)).toBe('received');
  });

  it('is refused with 503 before its body is read if it would use the reserve of any data folder', async () => {
    let isRead = false;
    const work = async () => void (isRead = true);
    const reserve = open({ in: 5 * GIB, out: 3 * GIB - 1 });
    await expect(reserve.receive(request(2 * GIB), work)).rejects.toMatchObject(REFUSED);
    expect(isRead).toBe(false);
  });

  it('without a stated length counts as the largest one', async () => {
    await expect(open({ in: 3 * GIB - 1 }).receive(request(undefined), received)).rejects.toMatchObject(
      REFUSED,
    );
  });

  it('that is too large is left to the refusal for its size', async () => {
    expect(await open({ in: GIB }).receive(request(9 * GIB), received)).toBe('received');
  });

  it('is refused if others that are being received need the room, and not after they have ended', async () => {
    const reserve = open({ in: 3 * GIB });
    let end = (): void => undefined;
    const first = reserve.receive(request(GIB + 1), () => new Promise<void>((resolve) => (end = resolve)));
    await expect(reserve.receive(request(GIB), received)).rejects.toMatchObject(REFUSED);
    end();
    await first;
    expect(await reserve.receive(request(GIB), received)).toBe('received');
  });

  it('does not count what others have written already a second time', async () => {
    const free = { in: 4 * GIB };
    const reserve = open(free);
    const other = request(2 * GIB);
    const isBegun = new Promise<void>((resolve) => {
      void reserve.receive(other, () => new Promise(() => resolve()));
    });
    await isBegun;
    other.socket.bytesRead = 2 * GIB;
    free.in -= 2 * GIB;
    expect(await reserve.receive(request(GIB), received)).toBe('received');
  });

  it('is received where the free space is unknown', async () => {
    const reserve = createDiskReserve({ folders: ['/missing'], reserveBytes: GIB, maxUploadBytes: GIB });
    expect(await reserve.receive(request(GIB), received)).toBe('received');
  });
});
