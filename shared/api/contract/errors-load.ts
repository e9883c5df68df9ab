/** Errors of a service that has as much to do, or to keep, as it may. See `ERRORS`. */
export const LOAD_ERRORS = {
  queue_full: {
    status: 503,
    sentence: () => 'The queue is full: try again after some of its files have been processed.',
  },
  disk_reserve: {
    status: 503,
    sentence: () =>
      'The service has too little free disk space for this file: delete tasks that are no longer needed, then try again.',
  },
  too_many_connections: {
    status: 503,
    sentence: () => 'The service has as many connections as it may have: try again in a moment.',
  },
  too_many_event_streams: {
    status: 503,
    sentence: () =>
      'As many clients follow tasks as may do so: poll the status of the task, or try again in a moment.',
  },
} as const;
