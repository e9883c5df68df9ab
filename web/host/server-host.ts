import { createApiClient, type ApiClient, type SendRequest } from '#shared/api/client';
import { FILE_PART, pathOf } from '#shared/api/contract/routes';
import { createAnonymiser } from '../state/api-anonymiser';
import { storedReviewer } from '../state/reviewer';
import type { ServerAccess } from '../state/server-use';
import type { ResultEditor } from '../state/server-anonymiser';
import { answersApi, createServerSend, fetchFromServer } from './send-to-server';

const authorised = (token: string): Readonly<Record<string, string>> =>
  token === '' ? {} : { authorization: `Bearer ${token}` };

const send = createServerSend(FILE_PART);

const withToken =
  (token: string): SendRequest<File> =>
  (request) =>
    send({ ...request, headers: { ...request.headers, ...authorised(token) } });

const clientWith = (token: string): ApiClient<File> => createApiClient(withToken(token));

/** The server that this page was loaded from. */
export const serverAccess: ServerAccess = {
  address: location.origin,
  find: () => answersApi(send, pathOf('getStatus')),
  client: clientWith,
};

/**
 * Creates the anonymiser of that server.
 *
 * @param token empty for none
 * @param subjectId see `createAnonymiser`; if absent, edits name subjects by their ids on the server
 */
export const createServerAnonymiser = (
  token: string,
  client = clientWith(token),
  subjectId?: (show: string) => Promise<string>,
): ResultEditor =>
  createAnonymiser(client, {
    // As a blob, the browser holds the file outside the script's memory.
    openVideo: async (taskId) => {
      const response = await fetchFromServer(pathOf('getAnonymisedVideo', taskId), authorised(token));
      if (!response.ok) throw new Error(`The server answered with status ${response.status}.`);
      return response.blob();
    },
    reviewer: storedReviewer,
    ...(subjectId && { subjectId }),
  });
