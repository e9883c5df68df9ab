import { format } from './en-format';

/** Texts about the open files: how long they are stored, and the grid that shows them. */
export const englishLibrary = {
  storage: {
    title: 'Your files',
    /** Label of the switch. */
    keep: 'Keep after closing',
    explanations: {
      visit:
        'Files and results are stored in this browser on this device, so a reload does not lose them. They are removed when you close this tab.',
      kept: 'Files and results stay in this browser on this device until you remove them. Anyone who uses this browser can open them.',
      elsewhere:
        'Another tab already keeps its files. To keep the files of this tab, close the other tab and open this page in a new tab. The files of this tab survive a reload and are removed when you close it.',
      memory:
        'This browser provides no storage for the page. Files and results are lost when you close or reload it.',
    },
    clear: 'Remove all files',
    count: (count: number) => `${format.many(count, 'file', 'files')} open.`,
    unstored: (count: number) =>
      `${format.many(count, 'file is', 'files are')} too large to store and will be lost on reload`,
    notStored: (names: readonly string[]) =>
      `There was not enough storage for ${format.list(names.length > 3 ? [...names.slice(0, 3), `${names.length - 3} more`] : names)}. Please add ${names.length > 1 ? 'them' : 'it'} again.`,
    dismiss: 'OK',
    summaries: {
      visit: 'Your files stay on this device and are removed when you close this tab.',
      kept: 'Your files stay on this device until you remove them.',
      elsewhere: 'Your files stay on this device and are removed when you close this tab.',
      memory: 'Your files stay on this device and are lost when you close this tab.',
    },
  },

  views: {
    grid: 'Grid',
    gridTitle: 'Show all files',
    one: 'Single file',
    oneTitle: 'Show one file at a time',
  },

  grid: {
    list: 'Files, multiple selection',
    actions: 'Actions for the selected files',
    noneSelected: 'None selected',
    selected: (count: number) => `${format.number(count)} selected`,
    selectAll: 'Select all',
    selectNone: 'Select none',
    reprocess: 'Process again',
    remove: 'Remove',
    exportAll: 'Export all …',
    exportSelected: (count: number) => `Export ${format.number(count)} …`,
    exportTitle: (count: number) => `Export ${format.many(count, 'file', 'files')}`,
    exportHint: 'The archive keeps the folders that you dropped.',
    exportNow: (count: number) => `Export ${format.number(count)}`,
    exportExtras: 'Also export',
    exportExtraNames: {
      masks: 'Masks: black-and-white images of the hidden area and of each object (PNG)',
      metadata: 'Detections with their positions (JSON)',
      report: 'Signed report of how each file was processed (JSON)',
    },
    exportedUnsigned:
      'Exported. The reports are not signed: this browser or the server has no key for signatures. Some private windows keep none.',
    notReady: (count: number) =>
      `${format.many(count, 'file has', 'files have')} no result yet and will not be exported.`,
    framesLostUncertain: 'Frames may be missing',
    framesLost: (count: number) => `${format.many(count, 'frame', 'frames')} could not be read`,
    lowMemory: 'Processed in parts because memory ran out',
    audioDropped: 'Some audio is missing',
    unstored: 'Too large to store: lost on reload',
    stale: 'Created with other settings',
  },
};

export type LibraryMessages = typeof englishLibrary;
