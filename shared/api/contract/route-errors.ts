/** Errors of downloads. */
export const RESULT_ERRORS = [
  'unknown_task',
  'task_not_done',
  'task_failed',
  'files_deleted',
  'range_unsatisfiable',
] as const;

/** Errors of edits. */
export const EDIT_ERRORS = [
  'unknown_task',
  'task_not_done',
  'task_failed',
  'files_deleted',
  'not_editable',
] as const;
