import * as fc from 'fast-check';
import { Value } from 'typebox/value';
import type { TSchema } from 'typebox';
import { openApi } from '../api/contract/openapi';
import {
  ASYNC_HEADERS,
  ids,
  queries,
  UPLOADS,
  type DescribedParameter,
  type Given,
  type GivenPair,
} from './api-values';
import { jsonBodies } from './api-bodies';
import { jsonOf, must, mustRefuse, type Answer, type Send, type SentRequest } from './conformance';
import { get, uploadedId, waitForTask } from './conformance-steps';

interface DescribedAnswer {
  readonly content: Readonly<Record<string, { readonly schema?: TSchema }>>;
}

/** One operation of `/v1/openapi.json`. */
export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, object>> };
  readonly responses: Readonly<Record<string, DescribedAnswer>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'method' | 'path'>>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, TSchema>> };
}

/** The description as clients read it: plain JSON instead of schema objects. */
const DESCRIPTION = JSON.parse(JSON.stringify(openApi())) as Description;

export const OPERATIONS: readonly Operation[] = Object.entries(DESCRIPTION.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
  })),
);

const resolved = (schema: TSchema): TSchema => {
  const reference = (schema as { $ref?: string }).$ref;
  if (reference === undefined) return schema;
  const name = reference.replace('#/components/schemas/', '');
  const found = DESCRIPTION.components.schemas[name];
  if (!found) throw new Error(`The description has no ${reference}.`);
  return found;
};

const textOf = ({ body }: Answer): string => new TextDecoder().decode(body);

/** Checks that the description contains this answer: its status, its type and the schema of its JSON. */
const mustBeDescribed = ({ responses }: Operation, answer: Answer): void => {
  must(answer.status < 500, 'a status below 500', `${answer.status} ${textOf(answer).slice(0, 300)}`);
  const described = responses[answer.status];
  must(described !== undefined, `one of ${Object.keys(responses).join(', ')}`, answer.status);
  const type = answer.headers['content-type']?.split(';')[0] ?? '';
  const content = described.content[type];
  must(content !== undefined, `one of ${Object.keys(described.content).join(', ')}`, type);
  if (answer.status >= 400) mustRefuse(answer, answer.status);
  // Images and videos are described as binary.
  if (!content.schema || type !== 'application/json') return;
  const body: unknown = JSON.parse(textOf(answer));
  must(Value.Check(resolved(content.schema), body), 'a body that matches the schema', body);
};

/** One generated call. */
interface Call {
  readonly id: string;
  readonly query: readonly GivenPair[];
  readonly isAsync: Given;
  readonly upload: Pick<SentRequest, 'parts' | 'body' | 'headers'> & { readonly isWhole: boolean };
}

const requestOf = ({ method, path, requestBody }: Operation, call: Call): SentRequest => {
  const { id, query, isAsync, upload } = call;
  const search = query.map(({ name, text }) => `${name}=${text}`).join('&');
  const { headers, parts, body } = upload;
  return {
    method,
    url: `${path.replace('{id}', id)}${search && `?${search}`}`,
    ...(requestBody
      ? {
          headers: { ...headers, ...(isAsync.text === '' ? {} : { 'x-is-async': isAsync.text }) },
          ...(parts ? { parts } : {}),
          ...(body ? { body } : {}),
        }
      : {}),
  };
};

/** Whether the description allows the whole call (true) or forbids a part of it (false); undefined if unknown. */
const isAllowed = (
  { requestBody, path, parameters }: Operation,
  call: Call,
  known: string,
): boolean | undefined => {
  // Operations that cannot be asynchronous ignore the header.
  const canBeAsync = parameters.some(({ name }) => name === 'x-is-async');
  const verdicts = [
    ...call.query.map((pair) => pair.isAllowed),
    ...(requestBody && canBeAsync ? [call.isAsync.isAllowed] : []),
    ...(requestBody ? [call.upload.isWhole || undefined] : []),
    ...(path.includes('{id}') ? [call.id.toLowerCase() === known || undefined] : []),
  ];
  if (verdicts.includes(false)) return false;
  return verdicts.every((verdict) => verdict === true) ? true : undefined;
};

/** Statuses other than 200 that a valid call may have, for reasons that schemas of values cannot express. */
const REASONS = {
  uploadFile: [409, 422], // busy; every class switched off
  deleteAllTasks: [422], // not confirmed
  getAnonymisedVideo: [422], // the task of an image
  getVideoMetadata: [422],
  releaseFile: [422], // the host has no gate
  createSubject: [422], // the photos show no face
  getSubject: [404], // the known id is that of a task
  deleteSubject: [404],
} as const satisfies Record<string, readonly number[]>;

const mustFit = (operation: Operation, answer: Answer, allowed: boolean | undefined): void => {
  const reasons: readonly number[] = REASONS[operation.operationId as keyof typeof REASONS] ?? [];
  const fits = answer.status === 200 || reasons.includes(answer.status);
  if (allowed === true) {
    must(fits, 'success, because the call is valid', `${answer.status} ${textOf(answer)}`);
  }
  if (allowed === false) must(answer.status >= 400, 'a refusal, because the call is invalid', answer.status);
};

/** A task that is done; a new one if earlier calls have deleted the last one. */
const doneTask = async (send: Send, last: string): Promise<string> => {
  const answer = last === '' ? undefined : await get(send, `/v1/task/${last}`);
  if (answer?.status === 200 && jsonOf<{ status: string }>(answer).status === 'done') return last;
  const id = await uploadedId(send, { isAsync: true });
  must((await waitForTask(send, id)) === 'done', 'task done', id);
  return id;
};

/** Seed of the generated calls, which are the same in each run so that failures are reproducible. */
const SEED = 20_260_401;
/** Placeholder for the id of a task, which is unknown when calls are generated. */
const KNOWN = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';

/**
 * Calls one operation with many valid and invalid values from its description. Each answer must be in the description,
 * valid calls must succeed and invalid ones must be refused.
 *
 * @throws Error with the smallest call that breaks one of these rules
 */
export const checkOperation = async (operation: Operation, send: Send, runs: number): Promise<void> => {
  let last = '';
  const calls: fc.Arbitrary<Call> = fc.record({
    id: ids(KNOWN),
    query: queries(operation.parameters),
    isAsync: ASYNC_HEADERS,
    upload: operation.requestBody?.content['application/json'] ? jsonBodies(operation.operationId) : UPLOADS,
  });
  const property = fc.asyncProperty(calls, async (call) => {
    last = await doneTask(send, last);
    const known = {
      ...call,
      id: call.id.replace(KNOWN, last).replace(KNOWN.toUpperCase(), last.toUpperCase()),
    };
    const answer = await send(requestOf(operation, known));
    mustBeDescribed(operation, answer);
    mustFit(operation, answer, isAllowed(operation, known, last));
  });
  await fc.assert(property, { seed: SEED, numRuns: runs });
};
