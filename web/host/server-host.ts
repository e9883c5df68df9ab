import {
  callOverHttp,
  createApiClient,
  RefusedRequest,
  type ApiClient,
  type CallRoute,
} from '#shared/api/client';
import type { ErrorCode } from '#shared/api/contract/errors';
import { DETECTIONS_PART, FILE_PART, pathOf } from '#shared/api/contract/routes';
import { createAnonymiser } from '../state/api-anonymiser';
import { storedReviewer } from '../state/stored-choice';
import type { ServerAccess } from '../state/server-use';
import type { ResultEditor } from '../state/server-anonymiser';
import { answersApi, createServerSend } from './send-to-server';

const authorised = (token: string): Readonly<Record<string, string>> =>
  token === '' ? {} : { authorization: `Bearer ${token}` };

const send = createServerSend(FILE_PART, DETECTIONS_PART);

const NOT_RELEASED: ErrorCode = 'not_released';

/** Asks for a result that is not released as its reviewer, which only tokens of reviewers may. */
const asReviewer =
  (call: CallRoute<File>): CallRoute<File> =>
  async (wanted) => {
    try {
      return await call(wanted);
    } catch (cause) {
      if (!(cause instanceof RefusedRequest) || cause.code !== NOT_RELEASED) throw cause;
      return call({ ...wanted, parameters: { ...wanted.parameters, 'for-review': true } });
    }
  };

const clientWith = (token: string): ApiClient<File> =>
  createApiClient(
    asReviewer(
      callOverHttp((request) => send({ ...request, headers: { ...request.headers, ...authorised(token) } })),
    ),
  );

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
    reviewer: storedReviewer,
    ...(subjectId && { subjectId }),
  });
