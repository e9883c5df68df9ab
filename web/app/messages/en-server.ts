/** Texts about the server that can process files instead of this tab. */
export const englishServer = {
  server: {
    title: 'Where files are processed',
    tab: 'In this tab. Files stay on this device.',
    limits: [
      'Processing runs only while the tab is open. After a reload, interrupted files start from the beginning.',
      'Files are processed one at a time. Long videos are slow without a powerful graphics processor.',
      'Files that scripts send to the API of this page are held in memory first. Add large files to the page itself.',
      'No webhooks, and no access from other devices.',
    ],
    limitsTitle: 'Limits of processing in a tab',
    searching: 'Looking for a server …',
    none: (address: string) =>
      `No server answers at ${address}. The page was loaded from a static host and can connect to no other address. To use your team’s server, open the page that this server provides.`,
    offer: (address: string) =>
      `A server answers at ${address}. If you use it, the files that you add are sent to it and processed there. The page downloads each result. The server keeps the file and the result, so that you can edit it there, until you remove the file here, process files in this tab again, or close the page. The page can connect to no other address. To use another server, open the page that it provides.`,
    token: 'Token',
    tokenHint:
      'Required only if the server was started with a token. It needs the scopes upload and read, and edit if you want to change results. The page forgets it when you close or reload it.',
    turnOn: 'Send my files to this server',
    turnOff: 'Process files in this tab again',
    on: (address: string) => `Files are sent to ${address} and processed there.`,
  },
};

export type ServerMessages = typeof englishServer;
