import { expect, test } from 'vitest';
import { jsonOf, mustHaveStatus, mustRefuse } from '../../testing/conformance';
import { get, upload, uploadedId } from '../../testing/conformance-steps';
import { createFakeWebhooks } from '../../testing/fake-webhooks';
import { createInProcessHost } from '../../testing/in-process-host';

const HEADER = 'webhook-auth-header-name=X-Key&webhook-auth-header-value=topsecret';
const queryFor = (url: string, more = ''): string =>
  `webhook=${encodeURIComponent(url)}${more && `&${more}`}`;
const HOOK = queryFor('http://receiver.example/hook?token=hidden', HEADER);

const open = () => {
  const webhooks = createFakeWebhooks({ kind: 'answered', status: 500 }, { kind: 'answered', status: 200 });
  return { webhooks, ...createInProcessHost({}, { webhooks }) };
};

test('a synchronous upload notifies as well as an asynchronous one', async () => {
  for (const isAsync of [true, false]) {
    const { send, webhooks } = open();
    mustHaveStatus(await upload(send, { isAsync, query: HOOK }), 200);
    await expect.poll(() => webhooks.timer.delays().length).toBe(1);
  }
});

test('the record says how far the notification has got, and names neither address nor header', async () => {
  const { send, webhooks } = open();
  const id = await uploadedId(send, { query: HOOK });
  const recordOf = async () => jsonOf<{ webhook: object }>(await get(send, `/v1/task/${id}`)).webhook;
  await expect.poll(() => webhooks.timer.delays().length).toBe(1);
  expect(await recordOf()).toEqual({
    status: 'pending',
    attempts: 0,
    last_attempt_at: null,
    last_outcome: null,
    next_attempt_at: expect.stringMatching(/^\d{4}-.*\d$/),
  });
  webhooks.timer.elapse();
  await expect.poll(recordOf).toMatchObject({
    status: 'pending',
    attempts: 1,
    last_outcome: 'The receiver answered with status 500.',
    next_attempt_at: expect.any(String),
  });
  await expect.poll(() => webhooks.timer.delays().length).toBe(1);
  webhooks.timer.elapse();
  await expect.poll(recordOf).toMatchObject({
    status: 'delivered',
    attempts: 2,
    last_attempt_at: expect.any(String),
    last_outcome: 'The receiver answered with status 200.',
    next_attempt_at: null,
  });
  for (const url of [`/v1/task/${id}`, '/v1/task/list', `/v1/file/${id}/metadata`]) {
    const { body } = await get(send, url);
    expect(new TextDecoder().decode(body)).not.toMatch(/topsecret|hidden|receiver\.example|X-Key/i);
  }
});

test('the older names of the header parameters are accepted', async () => {
  const { send, webhooks } = open();
  const header = 'web_auth_header_name=X-Key&web-auth-header-value=topsecret';
  await uploadedId(send, { query: queryFor('http://receiver.example/', header) });
  await expect.poll(() => webhooks.timer.delays().length).toBe(1);
  webhooks.timer.elapse();
  await expect.poll(() => webhooks.calls[0]?.headers).toMatchObject({ 'X-Key': 'topsecret' });
});

test('an address that may not be called is refused at upload', async () => {
  const { send, received } = open();
  mustRefuse(await upload(send, { query: queryFor('http://10.0.0.1/') }), 422, '--webhook-allow');
  expect(received).toEqual([]);
});

test('a host that sends nothing out refuses a webhook, and an empty one is none', async () => {
  const { send } = createInProcessHost();
  mustRefuse(await upload(send, { query: HOOK }), 422, '`webhook` is not available');
  mustHaveStatus(await upload(send, { query: 'webhook=&webhook-auth-header-name=' }), 200);
});

test.each(['webhook-auth-header-name=X-Key', 'webhook-auth-header-value=topsecret'])(
  'half a header is refused: %s',
  async (half) => {
    const { send } = open();
    mustRefuse(await upload(send, { query: queryFor('http://receiver.example/', half) }), 422, 'together');
  },
);

test('a complaint repeats neither the address nor the value of the header', async () => {
  const { send } = open();
  for (const query of [
    queryFor('ftp://receiver.example/topsecret'),
    queryFor('http://receiver.example:0x/topsecret'),
    `webhook-auth-header-value=${encodeURIComponent('topsecret\r\nHost: a')}`,
    `webhook-auth-header-value=${'topsecret'.repeat(500)}`,
  ]) {
    const answer = await upload(send, { query });
    mustRefuse(answer, 422, /^`webhook.* must be .*what was sent/);
    expect(new TextDecoder().decode(answer.body)).not.toContain('topsecret');
  }
});

test.each(['a\nb', 'a\rb', 'a\0b', 'naïve', '\u{1f600}'])(
  'a header value that is no visible ASCII is refused: %j',
  async (value) => {
    const { send } = open();
    const query = queryFor('http://receiver.example/', `webhook-auth-header-name=X-Key`);
    const answer = await upload(send, {
      query: `${query}&webhook-auth-header-value=${encodeURIComponent(value)}`,
    });
    mustRefuse(answer, 422, 'webhook-auth-header-value');
  },
);
