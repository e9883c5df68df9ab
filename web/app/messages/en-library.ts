import { format } from './en-format';

/** What the page says of the pictures that it has: how long they stay, and where. */
export const englishLibrary = {
  keeping: {
    title: 'Your pictures',
    /** The switch. */
    keep: 'Keep after closing',
    explained: {
      visit:
        'Pictures and results lie in this browser’s own storage on this machine, so that a reload loses nothing. They are removed when this tab is closed.',
      kept: 'Pictures and results stay in this browser’s own storage on this machine until you clear them. Whoever uses this browser can open them.',
      elsewhere:
        'Other pictures are being kept already, by another tab: open this page in a new tab when that one is closed. Those here survive a reload, and are removed when this tab is closed.',
      memory:
        'This browser gives the page no storage: pictures and results are gone when it is closed or reloaded.',
    },
    clear: 'Remove all pictures',
    count: (count: number) => `Open here: ${format.many(count, 'file', 'files')}.`,
    unstored: (count: number) =>
      `${format.many(count, 'file is', 'files are')} too large to be kept: gone at a reload`,
    lost: (names: readonly string[]) =>
      `There was no room to keep ${format.list(names.length > 3 ? [...names.slice(0, 3), `${names.length - 3} more`] : names)}: please add ${names.length > 1 ? 'them' : 'it'} again.`,
    lostRead: 'OK',
    shortly: {
      visit: 'What you add stays on this machine, and is removed from it when you close this tab.',
      kept: 'What you add stays on this machine until you clear it, as you chose.',
      elsewhere: 'What you add stays on this machine, and is removed from it when you close this tab.',
      memory: 'What you add stays on this machine, and is gone when you close this tab.',
    },
  },

  views: {
    grid: 'Grid',
    gridTitle: 'All pictures at once',
    one: 'One picture',
    oneTitle: 'One picture at a time',
  },

  grid: {
    list: 'Pictures, several can be chosen',
    actions: 'What to do with the chosen pictures',
    noneChosen: 'None chosen',
    chosen: (count: number) => `${format.number(count)} chosen`,
    chooseAll: 'Choose all',
    chooseNone: 'Choose none',
    again: 'Process again',
    remove: 'Remove',
    exportAll: 'Export all …',
    exportChosen: (count: number) => `Export ${format.number(count)} …`,
    exportTitle: (count: number) => `Export ${format.many(count, 'file', 'files')}`,
    exportHint: 'Folders that you dropped are kept in the archive.',
    exportNow: (count: number) => `Export ${format.number(count)}`,
    besides: 'What else to export',
    besidesNames: {
      masks: 'Masks: black-and-white pictures of what was hidden, and of each object (PNG)',
      metadata: 'What was found, and where (JSON)',
    },
    notReady: (count: number) =>
      `${format.many(count, 'file has', 'files have')} nothing to export (yet), and ${count === 1 ? 'is' : 'are'} left out.`,
    framesLost: (count: number) => `${format.many(count, 'frame', 'frames')} could not be read`,
    sparedMemory: 'Memory ran short: searched piece by piece',
    audioDropped: 'Some sound could not be kept',
    unstored: 'Too large to be kept: gone at a reload',
    stale: 'Made with other settings',
  },
};

export type LibraryMessages = typeof englishLibrary;
