import { bytesOf } from '#shared/api/http/body';
import { dispatch, type ApiService } from '#shared/api/dispatch';
import { ApiError } from '#shared/api/contract/errors';

/** An answer of the API. */
export interface JsonAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends `PUT url` with a JSON body to the API in this process. @param token of the service; undefined: it has none */
export const putJson = async (
  service: ApiService,
  url: string,
  body: object,
  token?: string,
): Promise<JsonAnswer> => {
  const answer = await dispatch(
    {
      method: 'PUT',
      url,
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      receiveUpload: () => Promise.reject(new ApiError('not_multipart')),
      receiveBody: async () => new TextEncoder().encode(JSON.stringify(body)),
      signal: new AbortController().signal,
    },
    service,
  );
  return { status: answer.status, text: new TextDecoder().decode(await bytesOf(answer.body)) };
};
