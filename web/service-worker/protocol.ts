/** Messages between the page and its service worker. */

/** Time after which a page that was reloaded, or left for another page of Veil, has claimed its tab's folder. */
export const RELOAD_MS = 10_000;

/** Groups of files, by the time at which they are stored for offline use. */
export type FileGroup =
  /** Files that the page opens with: stored before a new version is offered. */
  | 'shell'
  /** Models and the runtime that every machine can use: stored after the first load. */
  | 'engine'
  /** The runtime for graphics processors: stored where one is used. */
  | 'gpu'
  /** Files that only some users need: stored when they are first used. */
  | 'optional';

export interface OfflineFile {
  /** Relative to the page, including the query. */
  readonly path: string;
  readonly bytes: number;
  /** Subresource integrity as in `fetch`: only the built file is stored. */
  readonly integrity: string;
  readonly group: FileGroup;
}

export interface StoredFile extends OfflineFile {
  readonly isStored: boolean;
}

/** A request with a port for the response. */
export type PageRequest =
  /** Response: the list of `StoredFile`. */
  | { readonly type: 'veil-list' }
  /** Response: the `File`s that another app has shared with the page. */
  | { readonly type: 'veil-take-shared' }
  /** Stores one file. Response: whether it is stored now. */
  | { readonly type: 'veil-store'; readonly path: string };

export type PageCommand =
  /** Activates the waiting version. */
  | { readonly type: 'veil-take-over' }
  /** A page that was loaded without the worker requests to be served by it. */
  | { readonly type: 'veil-claim' }
  /** A page was left or reloaded. Its folder on disk is removed, unless it is kept or the tab comes back soon. */
  | { readonly type: 'veil-left'; readonly folder: string; readonly isKept: boolean };

/** One request that went to the network. */
export interface SentRequest {
  readonly method: string;
  /** Path and query; with its origin for a recommended model. */
  readonly address: string;
  /** Size of the body. */
  readonly bytes: number;
}

export type WorkerMessage =
  | ({ readonly type: 'veil-sent' } & SentRequest)
  /** Asks which page answers the API. The worker forgets it whenever the browser stops it. */
  | { readonly type: 'veil-who-answers' };

/**
 * Header that marks a request for the selected server. API requests without it never leave. It is removed before
 * sending.
 */
export const TO_SERVER_HEADER = 'x-veil-to-server';

/** Message with which msw's client reports that its page answers. */
export const MSW_ACTIVATE = 'MOCK_ACTIVATE';
