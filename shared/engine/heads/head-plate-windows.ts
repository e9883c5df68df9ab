import type { Head } from './head';

/** Plates in windows, with four corners each; read by `plates/plate-windows.ts`. */
export const plateWindows: Head<'plate-windows'> = { name: 'plate-windows', role: 'plate-classifier' };
