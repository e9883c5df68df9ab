import { RefusedRequest, type ApiClient } from '#shared/api/client';
import { NO_SUBJECT } from '#shared/domain/subject';

/** A host that processes files: the page itself, or the server that it was loaded from. */
export interface SubjectHost {
  readonly name: 'tab' | 'server';
  readonly client: ApiClient<File>;
  /** Aborts when the server is deselected. */
  readonly signal?: AbortSignal;
}

interface ShownPerson {
  readonly photos: readonly File[];
  /** Deletes or finds the person on each host that has been asked to keep it visible. */
  readonly subjects: Map<SubjectHost['name'], Promise<{ readonly id: string; remove(): Promise<void> }>>;
}

/**
 * Persons of this visit by the key that settings contain: the id on the first host. Their photos stay in the tab's
 * memory, because another host makes embeddings of its own when it is selected.
 */
const persons = new Map<string, ShownPerson>();

const createOn = async ({ client, signal }: SubjectHost, photos: readonly File[]) => {
  const { id } = await client.createSubject(photos);
  const remove = async (): Promise<void> => {
    // A host that has deleted the person, or cannot be reached, has nothing that can be deleted.
    await client.deleteSubject(id).catch(() => undefined);
  };
  if (signal?.aborted) await remove();
  signal?.addEventListener('abort', () => void remove(), { once: true });
  return { id, remove };
};

/**
 * Creates a person who stays visible.
 *
 * @returns the key for settings
 * @throws RefusedRequest if the host refuses a photo
 */
export const createPerson = async (host: SubjectHost, photos: readonly File[]): Promise<string> => {
  const subject = await createOn(host, photos);
  persons.set(subject.id, { photos, subjects: new Map([[host.name, Promise.resolve(subject)]]) });
  return subject.id;
};

/** Status of a photo that a host cannot use, with a sentence about it. */
const UNUSABLE = 422;

const accepts = async ({ client }: SubjectHost, photo: File): Promise<boolean> => {
  try {
    const { id } = await client.createSubject([photo]);
    await client.deleteSubject(id).catch(() => undefined);
    return true;
  } catch (cause) {
    if (cause instanceof RefusedRequest && cause.status === UNUSABLE) return false;
    throw cause;
  }
};

/**
 * The photos without those frames of a video that a host refuses: a blurred or turned face must not prevent the use of
 * the other frames. Photos that a user added are never left out.
 *
 * @param cause the refusal of all photos together
 * @throws `cause` if the host accepts all frames, or if no photo would remain
 */
export const withoutRefused = async (
  host: SubjectHost,
  photos: readonly File[],
  frames: ReadonlySet<File>,
  cause: unknown,
): Promise<readonly File[]> => {
  const isAboutPhotos = cause instanceof RefusedRequest && cause.status === UNUSABLE;
  if (!isAboutPhotos || !photos.some((photo) => frames.has(photo))) throw cause;
  const usable: File[] = [];
  for (const photo of photos) if (!frames.has(photo) || (await accepts(host, photo))) usable.push(photo);
  if (usable.length === 0 || usable.length === photos.length) throw cause;
  return usable;
};

const exists = ({ client }: SubjectHost, id: string): Promise<boolean> =>
  client.subject(id).then(
    () => true,
    (cause: unknown) => {
      if (cause instanceof RefusedRequest && cause.status === 404) return false;
      throw cause;
    },
  );

/**
 * The id of a person on a host, which gets the photos when it needs them for the first time.
 *
 * @returns `NO_SUBJECT` for a person of an earlier visit: everyone is hidden then
 */
export const subjectIdOn = async (host: SubjectHost, key: string): Promise<string> => {
  const person = persons.get(key);
  if (!person) return NO_SUBJECT;
  const before = person.subjects.get(host.name);
  const made = (async () => {
    const subject = await before?.catch(() => undefined);
    if (subject && (await exists(host, subject.id))) return subject;
    return createOn(host, person.photos);
  })();
  // The next request waits for this one, so that a host gets the photos once.
  person.subjects.set(host.name, made);
  return (await made).id;
};

/** Sample photos of a person; none for a person of an earlier visit. */
export const photosOf = (key: string | undefined): readonly File[] =>
  (key !== undefined && persons.get(key)?.photos) || [];

/** Deletes the photos of a person, and the embeddings on all hosts. */
export const forgetPerson = async (key: string): Promise<void> => {
  const { subjects = new Map() as ShownPerson['subjects'] } = persons.get(key) ?? {};
  persons.delete(key);
  await Promise.all(
    [...subjects.values()].map((made) => made.then(({ remove }) => remove()).catch(() => undefined)),
  );
};
