import { EDIT_ERRORS } from './route-errors';
import { Decisions, DecisionsResponse } from './schemas-decisions';
import { NoQuery, ResultResponse } from './schemas-tasks';

/** The endpoints of decisions about single objects: a part of the list of endpoints. */
export const DECISION_ROUTES = {
  getDecisions: {
    method: 'GET',
    path: '/v1/task/{id}/decisions',
    summary: 'Decisions about single objects, with times and reviewers',
    query: NoQuery,
    answer: DecisionsResponse,
    status: 200,
    errors: EDIT_ERRORS,
  },
  putDecisions: {
    method: 'PUT',
    path: '/v1/task/{id}/decisions',
    summary: 'Record what a person decided about single objects; it changes the report, and not the result',
    query: NoQuery,
    body: Decisions,
    answer: ResultResponse,
    status: 200,
    errors: [
      ...EDIT_ERRORS,
      'not_json',
      'body_too_large',
      'upload_broken',
      'upload_too_slow',
      'unknown_field',
      'missing_field',
      'unknown_object',
      'only_in_videos',
      'stopping',
    ],
  },
} as const;
