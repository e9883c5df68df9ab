import { format } from '../app/messages/en-format';

/** Texts of the API reference that are not part of the OpenAPI description. */
export const messages = {
  brand: 'Veil',
  title: 'API reference',
  home: 'Back to the page',
  contents: 'Contents',
  skip: 'Skip to the reference',
  description: 'OpenAPI description',

  target: {
    legend: 'Where requests run',
    tab: 'This tab',
    tabHint: 'This tab processes the requests. Nothing leaves it. Its tasks end when you close it.',
    server: 'This server',
    serverHint: (base: string) => `Requests and files go to ${base}.`,
    noServer: 'No server answers at the address of this page, so this tab processes the requests.',
    token: 'Token',
    tokenHint: 'Required only if the server was started with --token. Kept until you close this page.',
  },

  form: {
    parameters: 'Parameters',
    none: 'No parameters.',
    required: 'required',
    deprecated: 'deprecated',
    file: 'The file to process.',
    files: (count: number) => `1 to ${format.number(count)} files`,
    photos: 'Photos that show only this person. Each is sent in a part of this name.',
    json: 'The edits. An empty object takes all edits back.',
    taskId: 'Task id from the response to the upload.',
    notGiven: 'not set',
    fallback: (value: string) => `default: ${value}`,
    send: 'Send',
    sending: 'Waiting for the response …',
    cancel: 'Cancel',
    missing: (names: readonly string[]) => `Missing: ${format.list(names)}.`,
  },

  answer: {
    title: 'Response',
    noConnection: 'No response: the connection failed.',
    elapsed: (ms: number) => (ms < 1000 ? format.milliseconds(ms) : format.seconds(ms / 1000, 1)),
    size: format.bytes,
    headers: 'Headers',
    download: 'Download',
    picture: 'The image in the response',
    empty: 'The response has no body.',
    file: 'The response is a file.',
  },

  curl: 'curl command',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Copying failed. Select the text instead.',

  responses: 'Responses',
  response: { status: 'Status', meaning: 'Meaning', body: 'Body', fields: 'Body fields' },

  examples: { title: 'Client examples', language: 'Language' },
} as const;
