import { format } from '../app/messages/en-format';

/** Every word on the API reference that is not the description's own. */
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
    tabHint: 'The engine inside this tab answers. Nothing leaves it, and its tasks end with it.',
    server: 'This server',
    serverHint: (base: string) => `Requests and files go to ${base}.`,
    noServer: 'No server answers where this page came from, so this tab does.',
    token: 'Token',
    tokenHint: 'Only where the server was started with --token. Kept until this page is closed.',
  },

  form: {
    parameters: 'Parameters',
    none: 'No parameters.',
    required: 'required',
    deprecated: 'deprecated',
    file: 'The file to process.',
    taskId: 'Id of a task, as the upload answered it.',
    notGiven: 'not given',
    fallback: (value: string) => `default: ${value}`,
    send: 'Send',
    sending: 'Waiting for the answer …',
    cancel: 'Cancel',
    missing: (names: readonly string[]) => `Still missing: ${format.list(names)}.`,
  },

  answer: {
    title: 'Answer',
    noConnection: 'No answer came: the connection failed.',
    elapsed: (ms: number) => (ms < 1000 ? format.milliseconds(ms) : format.seconds(ms / 1000, 1)),
    size: format.bytes,
    headers: 'Headers',
    download: 'Download',
    picture: 'The picture in the answer',
    empty: 'The answer has no body.',
    file: 'The answer is a file.',
  },

  curl: 'As a command',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Not copied: select the text instead',

  responses: 'Answers',
  response: { status: 'Status', meaning: 'Meaning', body: 'Body', fields: 'Fields of the body' },

  examples: { title: 'Client examples', language: 'Language' },
} as const;
