import { describe, expect, it } from 'vitest';
import { RefusedRequest } from '#shared/api/client';
import { NO_SUBJECT } from '#shared/domain/subject';
import { createPerson, forgetPerson, photosOf, subjectIdOn, type SubjectHost } from './shown-person';

const PHOTOS = [new File(['a'], 'a.jpg')];

const hostWith = (name: SubjectHost['name'], signal?: AbortSignal) => {
  const ids = new Set<string>();
  const sent: (readonly File[])[] = [];
  const client = {
    createSubject: async (photos: readonly File[]) => {
      const id = crypto.randomUUID();
      ids.add(id);
      sent.push(photos);
      return { id };
    },
    subject: async (id: string) => {
      if (!ids.has(id)) throw new RefusedRequest(404, 'There is no subject with this id.');
      return { id };
    },
    deleteSubject: async (id: string) => void ids.delete(id),
  };
  return { host: { name, client, ...(signal && { signal }) } as unknown as SubjectHost, ids, sent };
};

describe('a person who stays visible', () => {
  it('is created on another host only when that host needs it, and once', async () => {
    const [tab, server] = [hostWith('tab'), hostWith('server')];
    const key = await createPerson(tab.host, PHOTOS);
    expect(server.sent).toEqual([]);
    const asked = await Promise.all([subjectIdOn(server.host, key), subjectIdOn(server.host, key)]);
    expect(asked).toEqual([[...server.ids][0], [...server.ids][0]]);
    expect(server.sent).toEqual([PHOTOS]);
    expect(await subjectIdOn(tab.host, key)).toBe(key);
  });

  it('is created again on a host that has deleted it', async () => {
    const { host, ids } = hostWith('tab');
    const key = await createPerson(host, PHOTOS);
    ids.clear();
    expect([await subjectIdOn(host, key)]).toEqual([...ids]);
  });

  it('of an earlier visit is unknown: everyone is hidden, and nothing is sent', async () => {
    const { host, sent } = hostWith('tab');
    expect(await subjectIdOn(host, crypto.randomUUID())).toBe(NO_SUBJECT);
    expect(sent).toEqual([]);
  });

  it('is deleted on all hosts, with the photos', async () => {
    const [tab, server] = [hostWith('tab'), hostWith('server')];
    const key = await createPerson(tab.host, PHOTOS);
    await subjectIdOn(server.host, key);
    await forgetPerson(key);
    expect([...tab.ids, ...server.ids, ...photosOf(key)]).toEqual([]);
    expect(await subjectIdOn(server.host, key)).toBe(NO_SUBJECT);
  });

  it('is deleted on a server that is deselected', async () => {
    const use = new AbortController();
    const { host, ids } = hostWith('server', use.signal);
    await createPerson(host, PHOTOS);
    use.abort();
    await expect.poll(() => ids.size).toBe(0);
  });
});
