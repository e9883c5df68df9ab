import type { Scope } from '../../domain/scope';
import type { RouteName } from './routes';

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
  getSubject: 'read',
  listTasks: 'list',
  listSubjects: 'list',
  getEdits: 'edit',
  putEdits: 'edit',
  stopEdits: 'edit',
  getCandidates: 'edit',
  getDecisions: 'edit',
  putDecisions: 'edit',
  createSubject: 'edit',
  deleteSubject: 'edit',
  deleteAllTasks: 'all',
} as const satisfies Record<RouteName, RouteScope>;
