/**
 * What a token may do. Each route of the API has one scope (`api/contract/scopes.ts`).
 *
 * - `upload`: send files, and delete tasks by their ids: who brings a file can take it back
 * - `read`: follow tasks and download their results, by their ids
 * - `list`: find out the ids of all tasks and subjects
 * - `edit`: change results and subjects; to stop hiding an object shows a part of the original
 * - `metrics`: `/metrics`, which is no part of the API
 * - `all`: everything, also what no other scope allows
 */
export const SCOPES = ['upload', 'read', 'list', 'edit', 'metrics', 'all'] as const;
export type Scope = (typeof SCOPES)[number];
