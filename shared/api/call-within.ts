import { asApiError, callRoute } from './call-route';
import { type CallRoute, RefusedRequest } from './client';
import { ApiError } from './contract/errors';
import { ROUTES } from './contract/routes';
import type { ApiService } from './handlers/service';
import type { LongArray } from './http/answer';
import type { Asked, UploadPart } from './http/http';
import { checkBody } from './http/json-body';
import { readValues } from './http/query';

const elementsOf = async (list: LongArray<unknown>): Promise<unknown[]> => {
  const elements: unknown[] = [];
  for await (const group of list.groups()) elements.push(...group.map((one) => list.write(one)));
  return elements;
};

/**
 * The way to a service in the same program: values go in and come out, after the same checks as those of a request. Who
 * shares the program with a service needs no token.
 *
 * @param receive a file as a part of an upload
 */
export const callWithin =
  <File>(service: ApiService, receive: (file: File) => UploadPart): CallRoute<File> =>
  async ({ name, id = '', parameters = {}, files, body = {}, isAsync = false, signal }) => {
    const asked: Asked = {
      headers: isAsync ? { 'x-is-async': 'true' } : {},
      receiveUpload: async () => {
        if (!files) throw new ApiError('no_file');
        return files.map(receive);
      },
      readBody: async (schema, maxBytes) => checkBody(schema, body, maxBytes),
      signal: signal ?? new AbortController().signal,
    };
    try {
      const given = readValues(ROUTES[name].query, parameters);
      const answer = await callRoute({ name, id }, given, asked, service);
      return {
        value: async () => ('list' in answer ? elementsOf(answer.list) : 'value' in answer && answer.value),
        content: async () => {
          if ('download' in answer) return answer.download;
          throw new Error(`${name} is no download`);
        },
        events: () => {
          if ('events' in answer) return answer.events;
          throw new Error(`${name} has no events`);
        },
      };
    } catch (error) {
      const { status, message } = asApiError(error, asked, service);
      throw new RefusedRequest(status, message);
    }
  };
