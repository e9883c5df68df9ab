import type { ClientResponse } from '#shared/api/client';

/** The complete response of a service. */
export interface Answer extends Omit<ClientResponse, 'body'> {
  readonly body: Uint8Array;
}

/** How to show the body of a response. */
export type AnswerBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly text: string; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image' | 'file'; readonly blob: Blob };

const mediaTypeOf = ({ headers }: Pick<Answer, 'headers'>): string =>
  (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

const jsonBody = (text: string): AnswerBody => {
  try {
    const value = JSON.parse(text) as unknown;
    return { kind: 'json', text: JSON.stringify(value, null, 2), value };
  } catch {
    return { kind: 'text', text };
  }
};

/** Only image types that a browser displays without running code. */
const isImage = (mediaType: string): boolean => /^image\/(jpeg|png|webp)$/.test(mediaType);

export const answerBody = (answer: Answer): AnswerBody => {
  if (answer.body.length === 0) return { kind: 'none' };
  const mediaType = mediaTypeOf(answer);
  const text = (): string => new TextDecoder().decode(answer.body);
  if (mediaType === 'application/json') return jsonBody(text());
  if (mediaType.startsWith('text/')) return { kind: 'text', text: text() };
  const blob = new Blob([answer.body as Uint8Array<ArrayBuffer>], { type: mediaType });
  return { kind: isImage(mediaType) ? 'image' : 'file', blob };
};

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'video/mp4': 'mp4',
  'application/json': 'json',
};

/** File name of a download: from the response, or made from the operation's name. */
export const downloadName = (answer: Pick<Answer, 'headers'>, operationId: string): string => {
  const named = /filename="([^"\\/]+)"/.exec(answer.headers['content-disposition'] ?? '')?.[1];
  return named ?? `${operationId}.${EXTENSIONS[mediaTypeOf(answer)] ?? 'bin'}`;
};

/** The task id in the response to an upload. */
export const taskIdIn = (body: AnswerBody): string | undefined => {
  if (body.kind !== 'json' || typeof body.value !== 'object' || body.value === null) return undefined;
  const { id } = body.value as { readonly id?: unknown };
  return typeof id === 'string' ? id : undefined;
};
