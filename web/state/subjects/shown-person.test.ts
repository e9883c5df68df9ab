import { describe, expect, it } from 'vitest';
import { RefusedRequest } from '#shared/api/client';
import { NO_SUBJECT } from '#shared/domain/subject';
import {
  createPerson,
  forgetPerson,
  photosOf,
  subjectIdOn,
  withoutRefused,
  type SubjectHost,
} from './shown-person';

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

describe('photos from a video', () => {
  const frames = ['front', 'turned', 'blurred'].map((name) => new File([name], `${name}.png`));
  const [front, turned, blurred] = frames as [File, File, File];
  const own = new File(['own'], 'own.jpg');
  const refusal = new RefusedRequest(422, 'Photo 2 shows no face.');
  const hostThatRefuses = (...refused: readonly File[]) => {
    const { host, ids } = hostWith('tab');
    const { client } = host;
    const createSubject: typeof client.createSubject = async (photos) => {
      if (photos.some((photo) => refused.includes(photo))) throw refusal;
      return client.createSubject(photos);
    };
    return { host: { ...host, client: { ...client, createSubject } }, ids };
  };
  const usable = (photos: readonly File[], refused: readonly File[], cause: unknown = refusal) =>
    withoutRefused(hostThatRefuses(...refused).host, photos, new Set(frames), cause);

  it('that a host refuses are left out, and the others are used', async () => {
    expect(await usable([own, ...frames], [turned, blurred])).toEqual([own, front]);
  });

  it('leave no subject on the host when they are checked', async () => {
    const { host, ids } = hostThatRefuses(turned);
    await withoutRefused(host, frames, new Set(frames), refusal);
    expect([...ids]).toEqual([]);
  });

  it('that are all refused lead to the sentence of the host', async () => {
    await expect(usable(frames, frames)).rejects.toBe(refusal);
  });

  it('are not checked if a user added the refused photo, or the host has another reason', async () => {
    const stopping = new RefusedRequest(503, 'The service stops.');
    await expect(usable([own], [own])).rejects.toBe(refusal);
    await expect(usable([own, ...frames], [])).rejects.toBe(refusal);
    await expect(usable(frames, [turned], stopping)).rejects.toBe(stopping);
  });
});
