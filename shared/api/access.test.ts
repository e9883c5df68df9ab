import { expect, test } from 'vitest';
import { jsonOf, mustRefuse } from '../testing/conformance';
import { get, upload, UNKNOWN_ID } from '../testing/conformance-steps';
import { createInProcessHost } from '../testing/in-process-host';
import { ROUTE_NAMES, ROUTES } from './contract/routes';

const access = { admits: (authorization?: string) => authorization === 'Bearer right' };
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
