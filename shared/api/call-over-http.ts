import {
  type CallRoute,
  type ClientResponse,
  RefusedRequest,
  type RouteCall,
  type SendRequest,
} from './client';
import { pathOf, ROUTES } from './contract/routes';
import type { ErrorResponse } from './contract/schemas-tasks';
import { bytesOf } from './http/body';
import { eventTexts } from './http/event-stream';
import type { ApiBody } from './http/http';
import { jsonBytes } from './http/respond';

const queryText = (parameters: NonNullable<RouteCall<never>['parameters']>): string => {
  const pairs = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
      return `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
    });
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
};

const textOf = async (body: ApiBody): Promise<string> => new TextDecoder('utf-8').decode(await bytesOf(body));

/** The service's sentence, or a plain one where something between us and the service has answered. */
const detailOf = async ({ status, body }: ClientResponse): Promise<string> => {
  try {
    const { detail } = JSON.parse(await textOf(body)) as Partial<ErrorResponse>;
    if (typeof detail === 'string') return detail;
  } catch {
    // No JSON: not an answer of the service.
  }
  return `The service answered with status ${status}.`;
};

async function* eventsOf(body: ApiBody): AsyncGenerator<unknown> {
  for await (const text of eventTexts(body)) yield JSON.parse(text);
}

/** The way to a service by requests: values are written as text, and read from it. */
export const callOverHttp =
  <File>(send: SendRequest<File>): CallRoute<File> =>
  async ({ name, id, parameters = {}, files, body: json, isAsync = false, signal }) => {
    const response = await send({
      method: ROUTES[name].method,
      url: pathOf(name, id) + queryText(parameters),
      headers: {
        ...(json && { 'content-type': 'application/json' }),
        ...(isAsync && { 'x-is-async': 'true' }),
      },
      ...(files && { files }),
      ...(json && { body: jsonBytes(json) }),
      ...(signal && { signal }),
    });
    const { status, headers, body, file } = response;
    if (status !== ROUTES[name].status) throw new RefusedRequest(status, await detailOf(response));
    return {
      value: async () => JSON.parse(await textOf(body)) as unknown,
      content: async () => ({
        contentType: headers['content-type'] ?? 'application/octet-stream',
        file: (await file?.()) ?? (await bytesOf(body)),
      }),
      events: () => eventsOf(body),
    };
  };
