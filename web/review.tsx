import type { ApiClient } from '#shared/api/client';
import { REVIEW_PATH, type ReviewFile, type ReviewState } from '#shared/domain/review';
import type { Log } from '#shared/ports/system';
import type { useLanguage } from './app/messages';
import { ReviewBanner, type ReviewPhase } from './app/shell/review-banner';
import type { fetchFromServer } from './host/send-to-server';
import type { createServerAnonymiser } from './host/server-host';
import type { firstResult } from './state/api-anonymiser';
import { loadReview, type ReviewServer } from './state/load-review';
import type { MediaItem, newItem } from './state/media-item';
import type { AppEvent, AppState } from './state/app-reducer';
import type { ServerAccess } from './state/server-use';
import { createValue, type Store } from './state/store';
import type { countUncertain } from './state/uncertain/list-uncertain';
import type { ResultEditor } from './state/server-anonymiser';
import type { ProcessingFailed } from './state/work';

const NO_DETECTION =
  'A review edits existing results only: process files on the command line, or in a page without review.';

/** Parts of the page. They are passed and not imported, so that the bundler does not split the page's first scripts. */
export interface ReviewParts {
  readonly log: Log;
  readonly access: ServerAccess;
  readonly fetchFromServer: typeof fetchFromServer;
  readonly firstResult: typeof firstResult;
  readonly newItem: typeof newItem;
  readonly useLanguage: typeof useLanguage;
  readonly countUncertain: typeof countUncertain;
  readonly ProcessingFailed: typeof ProcessingFailed;
  readonly createServerAnonymiser: typeof createServerAnonymiser;
}

/**
 * The client of the server. The page has no edits of how objects of a video are hidden: stored ones are kept. Others,
 * and the name of the reviewer, are replaced.
 *
 * @param hidingOf these edits by task
 */
const clientOf = (
  access: ServerAccess,
  token: string,
  hidingOf: ReadonlyMap<string, object>,
): ApiClient<File> => {
  const client = access.client(token);
  return {
    ...client,
    putEdits: (id, edits, ...rest) => client.putEdits(id, { ...hidingOf.get(id), ...edits }, ...rest),
  };
};

const hidingIn = (state: ReviewState): object => {
  if ('error' in state) return {};
  const {
    objects: _o,
    areas: _a,
    followed: _f,
    mute: _m,
    audio: _sound,
    reviewer: _r,
    ...hiding
  } = state.edits as Record<string, unknown>;
  return hiding;
};

/** @param undecidedIn gets the numbers of undecided objects by task */
const serverOf = (
  { access, fetchFromServer, ...functions }: ReviewParts,
  token: string,
  undecidedIn: Map<string, number>,
): ReviewServer => {
  const hidingOf = new Map<string, object>();
  const get = async (path: string): Promise<Response> => {
    const response = await fetchFromServer(REVIEW_PATH + path, { authorization: `Bearer ${token}` });
    if (!response.ok) throw new Error(`The review answered with status ${response.status}.`);
    return response;
  };
  return {
    client: clientOf(access, token, hidingOf),
    ...functions,
    list: async () => {
      const files = (await (await get('')).json()) as readonly ReviewFile[];
      for (const { id, undecided } of files) undecidedIn.set(id, undecided);
      return files;
    },
    state: async (id) => {
      const state = (await (await get(`/${id}`)).json()) as ReviewState;
      hidingOf.set(id, hidingIn(state));
      return state;
    },
    source: async (id) => (await get(`/${id}/source`)).blob(),
  };
};

/** The page's part of a review of results (`veil review`). */
export const openReview = (parts: ReviewParts) => {
  const token = location.hash.slice(1); // behind `#`, so that no server logs it
  const undecidedIn = new Map<string, number>();
  const server = serverOf(parts, token, undecidedIn);
  /** Files of the list belong to the review: nothing is uploaded or deleted, and its server keeps no masks. */
  const anonymiser: ResultEditor = {
    ...parts.createServerAnonymiser(token, server.client),
    process: () => Promise.reject(new parts.ProcessingFailed(NO_DETECTION)),
    forget: async () => undefined,
    masks: async () => [],
  };
  const phase = createValue<ReviewPhase>('open');
  const waiting = createValue(0);
  /** Of a result that is not loaded yet, as the list says. */
  const isUndecided = (item: MediaItem): boolean =>
    (item.status === 'done' ? parts.countUncertain([item]) : (undecidedIn.get(item.id) ?? 0)) > 0;
  return {
    anonymiser,
    banner: <ReviewBanner phase={phase} waiting={waiting} useLanguage={parts.useLanguage} />,
    /** Loads the files of the review. */
    start: async (store: Store<AppState, AppEvent>): Promise<void> => {
      store.subscribe(() => waiting.send(store.get().items.filter(isUndecided).length));
      try {
        await loadReview(server, store);
      } catch (cause) {
        parts.log.error('The files of the review could not be loaded', cause);
        phase.send('lost');
      }
    },
  };
};
