import { readableDuration } from '#shared/tasks/run/task-clock';

/** What a server prints when it is ready: its address, and how long it keeps the files of other people. */
export const startMessage = (address: string, retentionMs: number | undefined): string => {
  const kept =
    retentionMs === undefined
      ? 'until their task is deleted; --data-retention deletes them after a time.'
      : `for ${readableDuration(retentionMs)} after their task has ended (--data-retention).`;
  return `Veil is ready at ${address}\nUploads and results are kept ${kept}\n`;
};
