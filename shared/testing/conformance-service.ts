import {
  jsonOf,
  must,
  mustBe,
  mustHaveFields,
  mustHaveStatus,
  mustHaveType,
  mustRefuse,
  type ConformanceCase,
} from './conformance';
import { get, keepBusy, UNKNOWN_ID, waitForAll } from './conformance-steps';
import { MOMENT } from './conformance-tasks';

/** The service itself: status, description, unknown requests. */
export const SERVICE_CASES: readonly ConformanceCase[] = [
  {
    rule: 'status answers with exactly ts, api_version and status, also while a file is processed',
    run: async (send) => {
      const ids = await keepBusy(send);
      const answer = jsonOf<Record<string, string>>(await get(send, '/v1/status'));
      await waitForAll(send, ids);
      mustHaveFields(answer, ['ts', 'api_version', 'status']);
      mustBe([answer.api_version, answer.status], ['v1', 'RUNNING'], 'version and status');
      must(MOMENT.test(answer.ts ?? ''), 'ISO 8601 without a zone', answer.ts);
    },
  },
  {
    rule: '/v1/openapi.json describes the API',
    run: async (send) => {
      const { openapi, paths } = jsonOf<{ openapi: string; paths: object }>(
        await get(send, '/v1/openapi.json'),
      );
      must(openapi.startsWith('3.1'), 'OpenAPI 3.1', openapi);
      must('/v1/file/{id}/anonymised' in paths, 'every path', Object.keys(paths));
    },
  },
  {
    rule: '/openapi.json is the same description',
    run: async (send) => {
      const [own, alias] = [await get(send, '/v1/openapi.json'), await get(send, '/openapi.json')];
      mustHaveStatus(alias, 200);
      mustBe(alias.headers['content-type'], own.headers['content-type'], 'its type');
      mustBe(jsonOf(alias), jsonOf(own), 'its content');
    },
  },
  {
    rule: 'no answer may be embedded by pages of other sites',
    run: async (send) => {
      for (const path of ['/v1/status', '/openapi.json', '/v1/task/list', '/v1/nothing']) {
        const { headers } = await get(send, path);
        mustBe(headers['cross-origin-resource-policy'], 'same-origin', `the policy of ${path}`);
      }
    },
  },
  {
    rule: 'an unknown path is 404 with a detail and a code',
    run: async (send) => {
      for (const path of ['/v1/', '/v1/nothing', '/v1/file/x/y/z', '/v1/status/', '/v1/%zz']) {
        mustRefuse(await get(send, path), 404);
      }
    },
  },
  {
    rule: 'a method that a path does not support is 405, and Allow lists the supported ones',
    run: async (send) => {
      const put = await send({ method: 'PUT', url: '/v1/status' });
      mustRefuse(put, 405, 'GET');
      mustBe(put.headers.allow, 'GET, HEAD', 'allow');
      const listed = await send({ method: 'POST', url: '/v1/task/list' });
      mustRefuse(listed, 405, 'DELETE');
      mustBe(listed.headers.allow, 'GET, HEAD, DELETE', 'allow');
    },
  },
  {
    rule: 'HEAD of an error has its status and no body',
    run: async (send) => {
      const answer = await send({ method: 'HEAD', url: `/v1/task/${UNKNOWN_ID}` });
      mustHaveStatus(answer, 404);
      mustHaveType(answer, 'application/json');
      mustBe(answer.body.byteLength, 0, 'the length of the body');
    },
  },
];
