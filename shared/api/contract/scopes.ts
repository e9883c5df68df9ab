import type { Scope } from '../../domain/scope';
import type { RouteName } from './routes';
import type { AccessControl } from '../../ports/system';
import { ApiError } from './errors';

/** What a route requires of a token: a scope, or only that the token is known. */
export type RouteScope = Exclude<Scope, 'metrics'> | 'any';

/**
 * The scope of each route, in one place so that it can be reviewed as a whole. A route without one does not compile.
 *
 * Candidates require `edit`, because only editors need them: a page whose token lacks it offers no edits.
 */
export const ROUTE_SCOPES = {
  getOpenApi: 'any',
  getStatus: 'any',
  uploadFile: 'upload',
  deleteTask: 'upload',
  getTask: 'read',
  watchTask: 'read',
  getAnonymised: 'read',
  getBinaryMask: 'read',
  getInstanceMask: 'read',
  getMetadata: 'read',
  getAnonymisedVideo: 'read',
  getVideoMetadata: 'read',
  getReport: 'read',
  getReportPage: 'read',
  getRedactions: 'read',
  getSubject: 'read',
  listTasks: 'list',
  listSubjects: 'list',
  getEdits: 'edit',
  putEdits: 'edit',
  stopEdits: 'edit',
  getCandidates: 'edit',
  getDecisions: 'edit',
  putDecisions: 'edit',
  releaseFile: 'edit',
  createSubject: 'edit',
  deleteSubject: 'edit',
  deleteAllTasks: 'all',
} as const satisfies Record<RouteName, RouteScope>;

/**
 * Says why a request is refused for its token: 401 without a known token, 403 if the token lacks the scope.
 *
 * @param access undefined: everybody is admitted
 * @param authorization see `AccessControl`
 * @param scope `any`: every known token is sufficient
 * @returns undefined if it is admitted
 */
export const tokenRefusal = (
  access: AccessControl | undefined,
  authorization: string | undefined,
  scope: Scope | 'any',
): ApiError | undefined => {
  if (!access) return undefined;
  const scopes = access.scopesOf(authorization);
  if (!scopes) return new ApiError('not_admitted');
  return scope === 'any' || scopes.has('all') || scopes.has(scope)
    ? undefined
    : new ApiError('scope_missing', scope);
};
