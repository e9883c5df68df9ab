import { ApiError } from '../contract/errors';
import { ROUTE_NAMES, ROUTES, type Route, type RouteName } from '../contract/routes';

export interface RouteMatch {
  readonly name: RouteName;
  /** Empty if the path has no `{id}`. */
  readonly id: string;
}

/** @returns the id, '' for a template without one, or undefined if the path does not match */
const matchPath = (template: string, path: string): string | undefined => {
  const wanted = template.split('/');
  const segments = path.split('/');
  if (wanted.length !== segments.length) return undefined;
  let id = '';
  for (const [index, segment] of segments.entries()) {
    if (wanted[index] === '{id}' && segment !== '') id = segment;
    else if (wanted[index] !== segment) return undefined;
  }
  return id;
};

/**
 * Finds the endpoint of a request. `HEAD` matches like `GET`.
 *
 * @param url path and query, as they were sent
 * @throws ApiError 404, 405
 */
export const matchRoute = (method: string, url: string): RouteMatch => {
  const asked = url.replace(/[?#].*$/s, '');
  const path =
    ROUTE_NAMES.map((name): Route => ROUTES[name]).find(({ alias }) => alias === asked)?.path ?? asked;
  // The first matching path, so that `list` in `/task/list` is not read as a task's id.
  const first = ROUTE_NAMES.find((name) => matchPath(ROUTES[name].path, path) !== undefined);
  if (!first) throw new ApiError('unknown_path');
  const names = ROUTE_NAMES.filter((name) => ROUTES[name].path === ROUTES[first].path);
  const wanted = method === 'HEAD' ? 'GET' : method;
  const name = names.find((candidate) => ROUTES[candidate].method === wanted);
  if (name) return { name, id: matchPath(ROUTES[name].path, path) ?? '' };
  const allowed = names.map((candidate) => ROUTES[candidate].method);
  const withHead = allowed.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each]));
  throw new ApiError('method_not_allowed', withHead.join(', '));
};
