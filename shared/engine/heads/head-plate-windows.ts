import type { Head } from './head';

/** Plates in sliding windows, with four corners each; `plates/plate-windows.ts` decodes them. */
export const plateWindows: Head<'plate-windows'> = { name: 'plate-windows', role: 'plate-classifier' };
