import { expect, test } from 'vitest';
import { jsonOf, mustRefuse } from '../testing/conformance';
import { get, upload, UNKNOWN_ID } from '../testing/conformance-steps';
import { SCOPE_CASES, SCOPE_TOKENS } from '../testing/conformance-scopes';
import { createInProcessHost } from '../testing/in-process-host';
import type { Scope } from '../domain/scope';
import { ROUTE_NAMES, ROUTES } from './contract/routes';
import { ROUTE_SCOPES } from './contract/scopes';

const accessWith = (tokens: readonly { readonly token: string; readonly scopes: readonly Scope[] }[]) => ({
  scopesOf: (authorization?: string) => {
    const found = tokens.find(({ token }) => authorization === `Bearer ${token}`);
    return found && new Set(found.scopes);
  },
});
const access = accessWith([{ token: 'right', scopes: ['all'] }]);
const open = () => createInProcessHost({}, { access });

test.each(ROUTE_NAMES)('%s requires the token', async (name) => {
  const host = open();
  const { method, path } = ROUTES[name];
  const answer = await host.send({ method, url: path.replace('{id}', UNKNOWN_ID) });
  mustRefuse(answer, 401, 'Authorization: Bearer');
  expect(answer.headers['www-authenticate']).toBe('Bearer');
});

test('HEAD requires the token like GET', async () => {
  const { status } = await open().send({ method: 'HEAD', url: '/v1/status' });
  expect(status).toBe(401);
});

test('a wrong token is refused', async () => {
  const headers = { authorization: 'Bearer wrong' };
  mustRefuse(await open().send({ method: 'GET', url: '/v1/status', headers }), 401);
});

test('the right token is accepted', async () => {
  const headers = { authorization: 'Bearer right' };
  expect(jsonOf(await open().send({ method: 'GET', url: '/v1/status', headers }))).toMatchObject({
    status: 'RUNNING',
  });
});

test('the body of an upload without the token is not received', async () => {
  const host = open();
  mustRefuse(await upload(host.send), 401);
  expect(host.received).toEqual([]);
});

test('an unknown path is 404 without the token too', async () => {
  mustRefuse(await get(open().send, '/v1/nothing'), 404);
});

test('a service without a token accepts every request', async () => {
  jsonOf(await get(createInProcessHost().send, '/v1/status'));
});

test.each(SCOPE_CASES)('$rule', async ({ run }) => {
  await run(createInProcessHost({}, { access: accessWith(SCOPE_TOKENS) }).send);
});

test('the body of an upload whose token lacks the scope is not received', async () => {
  const host = createInProcessHost({}, { access: accessWith([{ token: 'reader', scopes: ['read'] }]) });
  const withToken: typeof host.send = (request) =>
    host.send({ ...request, headers: { ...request.headers, authorization: 'Bearer reader' } });
  mustRefuse(await upload(withToken), 403, '`upload`');
  expect(host.received).toEqual([]);
});

test('tokens that read or list change nothing, and only the token for all deletes all tasks', () => {
  const changing = ROUTE_NAMES.filter((name) => ROUTES[name].method !== 'GET');
  const scopes = changing.map((name) => [name, ROUTE_SCOPES[name]]);
  expect(scopes.filter(([, scope]) => !['upload', 'edit', 'all'].includes(scope!))).toEqual([]);
  expect(scopes.filter(([, scope]) => scope === 'upload').map(([name]) => name)).toEqual([
    'uploadFile',
    'deleteTask',
  ]);
  expect(ROUTE_NAMES.filter((name) => ROUTE_SCOPES[name] === 'all')).toEqual(['deleteAllTasks']);
});

test('what lists ids, and everything about edits, has a scope of its own', () => {
  const ofPath = (part: RegExp) =>
    new Set(ROUTE_NAMES.filter((name) => part.test(ROUTES[name].path)).map((name) => ROUTE_SCOPES[name]));
  expect(ofPath(/\/(edits|candidates|decisions)$/)).toEqual(new Set(['edit']));
  expect([ROUTE_SCOPES.listTasks, ROUTE_SCOPES.listSubjects]).toEqual(['list', 'list']);
});
