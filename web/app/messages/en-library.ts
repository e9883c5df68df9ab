import { many } from './format';

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
    count: (count: number) => `Open here: ${many(count, 'file', 'files')}.`,
    unstored: (count: number) =>
      `${many(count, 'file is', 'files are')} too large to be kept: gone at a reload`,
    lost: (names: readonly string[]) =>
      `There was no room to keep ${names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')}: please add ${names.length > 1 ? 'them' : 'it'} again.`,
    lostRead: 'OK',
    shortly: {
      visit: 'What you add stays on this machine, and is removed from it when you close this tab.',
      kept: 'What you add stays on this machine until you clear it, as you chose.',
      elsewhere: 'What you add stays on this machine, and is removed from it when you close this tab.',
      memory: 'What you add stays on this machine, and is gone when you close this tab.',
    },
  },
};

export type LibraryMessages = typeof englishLibrary;
