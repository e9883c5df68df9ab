import { isApiPath } from '#shared/api/contract/basics';
import { isHubModel } from '#shared/domain/page-policy';

/** Who answers a request. */
export type Responder =
  /** The API inside the page; if no page is open, the request is refused. */
  | 'page-api'
  /** The server that the user selected. */
  | 'server'
  /** A file of the page. */
  | 'file'
  /** Files that another app shares with the installed page. */
  | 'share'
  | 'network'
  /** A recommended model. Only the worker that downloads it may connect there, which its own policy allows. */
  | 'model-hub'
  | 'refused';

export interface RequestFacts {
  readonly url: URL;
  readonly method: string;
  readonly isNavigation: boolean;
  /** Whether the request is marked for the server. */
  readonly isForServer: boolean;
}

/** Page URLs relative to the worker's folder, with their files. */
const PAGES: Readonly<Record<string, string>> = { '': 'index.html', docs: 'docs.html' };

/**
 * Path of the requested file as in the list of files; undefined if the URL is not in the worker's folder.
 *
 * @param scope URL of the worker's folder, with a trailing slash
 */
export const fileAskedFor = (url: URL, scope: string, isNavigation: boolean): string | undefined => {
  if (!url.href.startsWith(scope)) return undefined;
  const path = (url.origin + url.pathname).slice(scope.length);
  const page = PAGES[path] ?? path;
  return isNavigation ? page : page + url.search;
};

/** Path in `manifest.webmanifest`, relative to the worker's folder. */
const SHARE_PATH = 'share';

const isReading = ({ method }: RequestFacts): boolean => method === 'GET' || method === 'HEAD';

/** Other sites get no request but for recommended models. */
const wayElsewhere = ({ url, method, isNavigation }: RequestFacts): Responder =>
  method === 'GET' && !isNavigation && isHubModel(url.href) ? 'model-hub' : 'refused';

/**
 * Decides who answers a request of the page, of a script in it, or of its workers.
 *
 * An API request is never sent to the network without the mark: if no page answers, it is refused, because it may
 * contain an image. Opening an API address in a tab sends no image and can only be meant for the server.
 */
export const responderFor = (
  asked: RequestFacts,
  scope: string,
  isFile: (path: string) => boolean,
): Responder => {
  if (asked.url.origin !== new URL(scope).origin) return wayElsewhere(asked);
  if (isApiPath(asked.url.pathname)) {
    if (asked.isForServer) return 'server';
    return asked.isNavigation && isReading(asked) ? 'network' : 'page-api';
  }
  if (!isReading(asked)) return asked.url.href === scope + SHARE_PATH ? 'share' : 'refused';
  const file = fileAskedFor(asked.url, scope, asked.isNavigation);
  return asked.method === 'GET' && file !== undefined && isFile(file) ? 'file' : 'network';
};
