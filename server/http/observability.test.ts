import type { FastifyInstance } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ApiResponse } from '#shared/api/http/http';
import { createFakeLog, type FakeLog } from '#shared/testing/fake-system';
import { createTokenAccess } from '../adapters/access';
import { createLog } from '../adapters/log';
import { createMetrics } from '../adapters/metrics';
import { createApp, type AppParts } from '../app';
import { createLifecycle } from '../lifecycle';
import { CONNECTION_LIMITS } from './connection-limits';
import { fakeSites } from '../testing/fake-sites';
import { fakeWatch } from '../testing/fake-watch';

const ANSWER: ApiResponse = { status: 200, headers: { 'content-length': '2' }, body: new Uint8Array(2) };
const ID = '0b6f3c1e-8a55-4a0f-9a63-1f1f6a9a1b11';
const IMAGE = `/v1/file/${ID}/anonymised?quality=50`;

const open = async (
  watch: AppParts['watch'] = fakeWatch(),
): Promise<{ app: FastifyInstance; log: FakeLog }> => {
  const log = createFakeLog();
  const api = { answer: async () => ANSWER, receiveUpload: async () => [] };
  const app = await createApp({
    api,
    web: { page: '/nowhere', models: '/nowhere' },
    log,
    watch,
    sites: fakeSites(),
    connections: CONNECTION_LIMITS,
  });
  onTestFinished(() => app.close());
  return { app, log };
};

describe('health', () => {
  it('is 200 with the version while the process responds, in every phase', async () => {
    const { app } = await open(
      fakeWatch({ phase: () => 'loading', access: createTokenAccess([{ token: 't', scopes: ['all'] }]) }),
    );
    const { statusCode, body } = await app.inject('/healthz');
    expect([statusCode, body]).toEqual([200, '{"status":"ok","version":"1.2.3"}']);
    expect((await app.inject({ method: 'HEAD', url: '/healthz' })).statusCode).toBe(200);
  });
});

describe('liveness', () => {
  it('is 503 while the engine does not answer, and so is health', async () => {
    let engineAnswers = true;
    const { app } = await open(fakeWatch({ engineAnswers: () => engineAnswers }));
    const answers = async () => {
      const [live, health] = await Promise.all([app.inject('/livez'), app.inject('/healthz')]);
      return [live.statusCode, health.statusCode, JSON.parse(live.body).status];
    };
    expect(await answers()).toEqual([200, 200, 'ok']);
    engineAnswers = false;
    expect(await answers()).toEqual([503, 503, 'engine-silent']);
  });

  it('is 200 while a worker takes nothing, because files are unavailable', async () => {
    const { app } = await open(fakeWatch({ isTaking: () => false }));
    expect((await app.inject('/livez')).statusCode).toBe(200);
    expect((await app.inject('/healthz')).json()).toMatchObject({ status: 'idle' });
  });
});

describe('readiness', () => {
  it('comes with the models, goes with the first signal, and needs no token', async () => {
    const lifecycle = createLifecycle();
    const { app } = await open(
      fakeWatch({ phase: lifecycle.phase, access: createTokenAccess([{ token: 't', scopes: ['all'] }]) }),
    );
    const ready = async () => {
      const { statusCode, body } = await app.inject('/readyz');
      return [statusCode, JSON.parse(body)];
    };
    expect(await ready()).toEqual([503, { status: 'loading' }]);
    lifecycle.modelsLoaded();
    expect(await ready()).toEqual([200, { status: 'ready' }]);
    lifecycle.stopping();
    lifecycle.modelsLoaded();
    expect(await ready()).toEqual([503, { status: 'stopping' }]);
  });

  it('is 503 where task records cannot be read, without the cause', async () => {
    const { app } = await open(fakeWatch({ checkStore: () => Promise.reject(new Error('secret')) }));
    const { statusCode, body } = await app.inject('/readyz');
    expect([statusCode, body]).toEqual([503, '{"status":"store-unavailable"}']);
  });
});

describe('metrics', () => {
  it('count tasks by state, those that wait, requests and seconds of each step', async () => {
    const metrics = createMetrics(async () => ({ queued: 3, done: 7 }));
    const { app } = await open(fakeWatch({ metrics }));
    metrics.countStages({ decode: 20, detect: 900, [ID]: 5 });
    await app.inject(IMAGE);
    await app.inject(IMAGE.replace('50', '60'));
    const { headers, body } = await app.inject('/metrics');
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    for (const line of [
      'veil_queue_length 3',
      'veil_tasks{state="done"} 7',
      'veil_tasks{state="failed"} 0',
      'veil_stage_duration_seconds_sum{stage="detect"} 0.9',
      'veil_http_requests_total{method="GET",route="/v1/file/{id}/anonymised",status="200"} 2',
      'veil_http_request_duration_seconds_count{route="/v1/file/{id}/anonymised"} 2',
    ]) {
      expect(body).toContain(`${line}\n`);
    }
    expect(body).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(body).not.toContain(ID);
  });

  it('make no series of what a client makes up', async () => {
    const { app } = await open();
    for (const path of ['/v1/a', '/v1/b', '/x/1', '/x/2', `/v1/%zz`]) await app.inject(path);
    const { body } = await app.inject('/metrics');
    const routes = [...body.matchAll(/requests_total\{.*route="([^"]*)"/g)].map(([, route]) => route);
    expect(routes.sort()).toEqual(['page', 'unknown']);
  });

  it('need a token with the scope `metrics`, and no other', async () => {
    const access = createTokenAccess([
      { token: 'numbers', scopes: ['metrics'] },
      { token: 'files', scopes: ['upload', 'read', 'list', 'edit'] },
    ]);
    const { app } = await open(fakeWatch({ access }));
    const statusWith = async (token: string): Promise<number> =>
      (await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })).statusCode;
    expect(await statusWith('numbers')).toBe(200);
    expect(await statusWith('files')).toBe(403);
  });

  it('need the token where there is one', async () => {
    const { app } = await open(
      fakeWatch({ access: createTokenAccess([{ token: 'secret', scopes: ['all'] }]) }),
    );
    const refused = await app.inject('/metrics');
    expect([refused.statusCode, refused.headers['www-authenticate']]).toEqual([401, expect.any(String)]);
    const authorization = 'Bearer secret';
    expect((await app.inject({ url: '/metrics', headers: { authorization } })).statusCode).toBe(200);
  });
});

describe('a request', () => {
  const idOf = async (app: FastifyInstance, given?: string | string[], url = IMAGE) => {
    const { headers } = await app.inject({
      url,
      headers: given === undefined ? {} : { 'x-request-id': given },
    });
    return String(headers['x-request-id']);
  };

  it.each(['7', 'a.b-c_d:e', 'Root=1-67891233-abcdef', 'x'.repeat(128)])(
    'keeps the id that it came with, in its answer and in the log: %s',
    async (id) => {
      const { app, log } = await open();
      expect(await idOf(app, id)).toBe(id);
      expect(log.lines[0]?.facts).toMatchObject({ requestId: id });
    },
  );

  it.each([undefined, '', 'two words', 'a,b', '\u001b[2J', '"', 'Zürich', 'x'.repeat(129), ['a', 'b']])(
    'gets a new id where it has none that could stand anywhere: %j',
    async (id) => {
      const { app, log } = await open();
      const [first, second] = [await idOf(app, id), await idOf(app, id)];
      expect(first).toMatch(/^[\da-f-]{36}$/);
      expect(second).not.toBe(first);
      expect(log.lines.map(({ facts }) => facts)).toMatchObject([
        { requestId: first },
        { requestId: second },
      ]);
    },
  );

  it.each(['/', '/healthz', '/v1/status', '/v1/%zz', `/${'a/'.repeat(5_000)}%zz`])(
    'is answered with its id and the version, whoever answers it: %s',
    async (url) => {
      const { headers } = await (await open()).app.inject({ url, headers: { 'x-request-id': 'mine' } });
      expect(headers).toMatchObject({ 'x-request-id': 'mine', 'veil-version': '1.2.3' });
    },
  );

  it('is named in each line that the API logs about it', async () => {
    const lines: string[] = [];
    const log = createLog({ logLevel: 'info', logFormat: 'json' }, { write: (line) => lines.push(line) });
    const api: AppParts['api'] = {
      answer: async (_request, requestLog) => {
        requestLog.error('A download was interrupted.', new Error('why'));
        throw new Error('worse');
      },
      receiveUpload: async () => [],
    };
    const app = await createApp({
      api,
      web: { page: '/nowhere', models: '/nowhere' },
      log,
      watch: fakeWatch(),
      sites: fakeSites(),
      connections: CONNECTION_LIMITS,
    });
    onTestFinished(() => app.close());
    await app.inject({ url: IMAGE, headers: { 'x-request-id': 'mine' } });
    expect(lines.map((line) => (JSON.parse(line) as { requestId?: string }).requestId)).toEqual([
      'mine',
      'mine',
      'mine',
    ]);
  });
});

describe('the log', () => {
  const headers = { 'user-agent': 'Camera of Ann', authorization: 'Bearer secret', 'x-name': 'Ann' };

  it('has a line for a request, with its route, and no id, query or header', async () => {
    const { app, log } = await open();
    await app.inject({ url: IMAGE, headers });
    expect(log.lines).toEqual([
      {
        message: 'Answered.',
        facts: {
          method: 'GET',
          route: '/v1/file/{id}/anonymised',
          status: 200,
          ms: expect.any(Number) as number,
          bytes: 2,
          requestId: expect.any(String) as string,
        },
      },
    ]);
  });

  it('has address and client, too, where names are allowed; never a query nor a secret', async () => {
    const { app, log } = await open(fakeWatch({ logNames: true }));
    await app.inject({ url: IMAGE, headers });
    expect(log.lines[0]?.facts).toMatchObject({ path: IMAGE.split('?')[0], agent: 'Camera of Ann' });
    expect(JSON.stringify(log.lines)).not.toMatch(/secret|quality|x-name/);
  });

  it('says nothing of probes', async () => {
    const { app, log } = await open();
    await app.inject('/healthz');
    await app.inject('/metrics');
    expect(log.lines).toEqual([]);
  });
});
