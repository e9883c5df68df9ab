import type { ObjectEdit } from './edits';

/** Whether edits show an object: with a range, only there; a hidden one with a range is visible everywhere else. */
export const isVisible = ({ hidden = true, deleted = false }: ObjectEdit): boolean => !hidden || deleted;

/** Whether a range limits the method, and not the frames in which the track is hidden. */
export const changesOnlyMethod = ({ hidden, deleted, method }: ObjectEdit): boolean =>
  method !== undefined && hidden === undefined && deleted === undefined;
