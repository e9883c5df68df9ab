import { isApiPath } from '#shared/api/contract/prefix';

/** Who answers a request. */
export type Way =
  /** The API inside the page; if no page is open, the request is refused. */
  | 'page-api'
  /** The server that the user selected. */
  | 'server'
  /** A file of the page. */
  | 'file'
  /** Files that another app shares with the installed page. */
  | 'share'
  | 'network'
  | 'refused';

export interface Asked {
  readonly url: URL;
  readonly method: string;
  readonly isNavigation: boolean;
  /** Marked as meant for the server. */
  readonly isForServer: boolean;
}

/** Addresses of pages, relative to the worker's folder, and the files behind them. */
const PAGES: Readonly<Record<string, string>> = { '': 'index.html', docs: 'docs.html' };

/**
 * The file that a request asks for, by its name in the list of files; undefined where it is none of the page's.
 *
 * @param scope address of the worker's folder, with a slash at its end
 */
export const fileAskedFor = (url: URL, scope: string, isNavigation: boolean): string | undefined => {
  if (!url.href.startsWith(scope)) return undefined;
  const path = (url.origin + url.pathname).slice(scope.length);
  const page = PAGES[path] ?? path;
  return isNavigation ? page : page + url.search;
};

/** As in `manifest.webmanifest`, relative to the worker's folder. */
const SHARE_PATH = 'share';

const isReading = ({ method }: Asked): boolean => method === 'GET' || method === 'HEAD';

/**
 * Decides about a request of the page, a script in it, or its workers.
 *
 * A request of the API never goes to the network by itself: where no page answers, it is refused, because it may carry
 * a picture. Opening an address of the API in a tab carries none, and can only be meant for the server.
 */
export const wayOf = (asked: Asked, scope: string, isFile: (path: string) => boolean): Way => {
  if (asked.url.origin !== new URL(scope).origin) return 'refused';
  if (isApiPath(asked.url.pathname)) {
    if (asked.isForServer) return 'server';
    return asked.isNavigation && isReading(asked) ? 'network' : 'page-api';
  }
  if (!isReading(asked)) return asked.url.href === scope + SHARE_PATH ? 'share' : 'refused';
  const file = fileAskedFor(asked.url, scope, asked.isNavigation);
  return asked.method === 'GET' && file !== undefined && isFile(file) ? 'file' : 'network';
};
