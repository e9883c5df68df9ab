/** Messages between the page and its service worker. */

/** Time after which a page that was reloaded, or left for another page of Veil, has claimed its tab's folder. */
export const RELOAD_MS = 10_000;

/** Parts of the page, by when they are put away for use without a network. */
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
  /** Relative to the page, with a query where it has one. */
  readonly path: string;
  readonly bytes: number;
  /** As in `fetch`: what is stored is what was built. */
  readonly integrity: string;
  readonly group: FileGroup;
}

export interface StoredFile extends OfflineFile {
  readonly isStored: boolean;
}

/** Asked with a port, on which the answer comes. */
export type PageRequest =
  /** Answered with the list of `StoredFile`. */
  | { readonly type: 'veil-list' }
  /** Answered with the list of `File` that another app has shared with the page. */
  | { readonly type: 'veil-take-shared' }
  /** Stores one file; answered with whether it is stored now. */
  | { readonly type: 'veil-store'; readonly path: string };

export type PageCommand =
  /** A waiting version: begin. */
  | { readonly type: 'veil-take-over' }
  /** A page that was loaded past the worker wants to be served by it. */
  | { readonly type: 'veil-claim' }
  /** A page goes, maybe for a reload: unless it is back soon, or keeps it, its folder on disk is to be removed. */
  | { readonly type: 'veil-left'; readonly folder: string; readonly isKept: boolean };

/** One request that went to the network. */
export interface SentRequest {
  readonly method: string;
  /** Path and query: there is one origin only. */
  readonly address: string;
  /** Of its body. */
  readonly bytes: number;
}

export type WorkerMessage =
  | ({ readonly type: 'veil-sent' } & SentRequest)
  /** Asks which page answers the API. The worker forgets it whenever the browser stops it. */
  | { readonly type: 'veil-who-answers' };

/**
 * Marks a request that the user chose to send to the server. API requests without it never leave. Removed before
 * sending.
 */
export const TO_SERVER_HEADER = 'x-veil-to-server';

/** What `msw` listens for in its worker: this page answers. */
export const MSW_ACTIVATE = 'MOCK_ACTIVATE';
