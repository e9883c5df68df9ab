declare const self: ServiceWorkerGlobalScope;

/** Maximum number of files per share. */
const MAX_FILES = 500;
/** Files that no page has taken by then are dropped. */
const KEEP_MS = 60_000;

/** Shared files that no page has taken yet. Held in memory: nothing is stored before the page decides. */
let shared: readonly File[] = [];
let collected: () => void = () => undefined;

const filesIn = (form: FormData): readonly File[] =>
  [...form.values()].filter((value) => value instanceof File).slice(0, MAX_FILES);

/** Keeps this worker alive until the page has taken the shared files, or a time limit ends. */
const untilCollected = (): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => {
      shared = [];
      resolve();
    }, KEEP_MS);
    collected = () => {
      clearTimeout(timer);
      resolve();
    };
  });

/**
 * Receives files that another app shares with the installed page, and opens the page, which then requests them.
 *
 * Every share request is answered here, so that it never reaches the network.
 */
export const receiveShare = async (event: FetchEvent): Promise<Response> => {
  const form = await event.request.formData().catch(() => new FormData());
  shared = [...shared, ...filesIn(form)];
  event.waitUntil(untilCollected());
  return Response.redirect(self.registration.scope, 303);
};

/** Returns the shared files once; later calls return none. */
export const takeShared = (): readonly File[] => {
  const files = shared;
  shared = [];
  collected();
  return files;
};
