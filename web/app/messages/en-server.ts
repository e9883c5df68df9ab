/** What the page says of a server that does the work. */
export const englishServer = {
  server: {
    title: 'Where the work is done',
    tab: 'In this tab. Files stay on this machine.',
    limits: [
      'Work goes on for as long as the tab is open; a reload begins what was cut off anew.',
      'One file is in work at a time, and large videos take long without a strong graphics processor.',
      'What scripts send to this page’s own API is held in memory first: add large files to the page itself.',
      'No webhooks, and no way in for other machines.',
    ],
    limitsTitle: 'What a tab cannot do',
    searching: 'Looking for a server …',
    none: (address: string) =>
      `No server answers at ${address}: this page comes from a mere host of files. The page may speak to no other address. To use your team’s server, open the page that the server itself serves.`,
    offer: (address: string) =>
      `A server answers at ${address}. When it is used, the files that you add are sent to it. It does the work, the results come back into this tab, and it is told to delete both at once. The page may speak to no other address: to use another server, open the page that it serves.`,
    token: 'Token',
    tokenHint: 'Only where the server was started with one. Forgotten when this page is closed or reloaded.',
    turnOn: 'Send my files to this server',
    turnOff: 'Work in this tab again',
    on: (address: string) => `Files are sent to ${address}, which does the work.`,
  },
};

export type ServerMessages = typeof englishServer;
