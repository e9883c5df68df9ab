import { spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { applyGrants, migrate } from '../adapters/postgres/migrate';
import { parseCommand } from '../cli/cli';
import { PROBES } from '../http/serve-probes';
import { readCompose, readPods, readSample, SAMPLES } from '../testing/cluster/samples';
import { runSql } from '../testing/services/postgres';
import { accept, claimed, openStore, startServerForFile } from '../testing/services/postgres-stores';
import { freePort } from '../testing/services/free-port';
import { findRedis } from '../testing/services/redis';

/** Replaces the variables of a compose file by their names in small letters. */
const filled = (text: string): string =>
  text.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, name: string) => name.toLowerCase());

const composed = readCompose();
const environmentOf = (service: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(composed[service]?.environment ?? {}).map(([name, text]) => [name, filled(text)]),
  );

describe('compose.yaml', () => {
  const [migrating, api, worker] = ['migrate', 'api', 'worker'].map(environmentOf);
  const urlOf = (environment: Readonly<Record<string, string>> | undefined): URL =>
    new URL(environment!['VEIL_DATABASE']!);

  it('gives each role a database user and a password of its own, and none the superuser', () => {
    const urls = [migrating, api, worker].map(urlOf);
    expect(urls.map(({ username }) => username)).toEqual(['veil_owner', 'veil_api', 'veil_worker']);
    expect(new Set(urls.map(({ password }) => password)).size).toBe(3);
    expect(urls.map(({ password }) => password)).not.toContain('postgres_password');
  });

  it('creates the tables before the roles start, with the rights of both', () => {
    expect(parseCommand([...composed['migrate']!.command!], migrating!)).toMatchObject({
      grants: { api: 'veil_api', worker: 'veil_worker' },
    });
  });

  it('gives workers a token for metrics only', () => {
    const command = parseCommand(['worker'], worker!);
    expect(command).toMatchObject({
      config: { token: undefined, tokens: [{ scopes: ['metrics'], token: 'metrics_token' }] },
    });
    expect(JSON.stringify(composed['worker'])).not.toContain('VEIL_TOKEN}');
  });

  it.each(['api', 'worker'])(
    'restarts nothing because a service is away, but tells if %s is stuck',
    (name) => {
      expect(composed[name]?.healthcheck?.test?.join(' ')).toContain(`:7000${PROBES.liveness}'`);
    },
  );
});

describe('kubernetes/veil.yaml', () => {
  const pods = readPods();
  const containerOf = (name: string) =>
    pods.flatMap(({ containers }) => containers).find((container) => container.name === name)!;
  const secretsOf = (name: string) =>
    new Set((containerOf(name).env ?? []).flatMap(({ valueFrom }) => valueFrom?.secretKeyRef.name ?? []));
  const variablesOf = (name: string) => (containerOf(name).env ?? []).map((variable) => variable.name);

  it('gives each role its own secrets', () => {
    expect(['migrate', 'api', 'worker'].map((name) => [...secretsOf(name)])).toEqual([
      ['veil-owner'],
      ['veil-api'],
      ['veil-worker'],
    ]);
  });

  it('gives workers a token for metrics only', () => {
    expect(variablesOf('worker')).not.toContain('VEIL_TOKEN');
    const tokens = containerOf('worker').env?.find(({ name }) => name === 'VEIL_TOKENS');
    expect(tokens?.valueFrom?.secretKeyRef.key).toBe('metrics');
  });

  it.each(['api', 'worker'])('restarts %s if it is stuck, and not if a service is away', (name) => {
    expect(containerOf(name).livenessProbe?.httpGet?.path).toBe(PROBES.liveness);
  });

  it('gives no pod a token of Kubernetes', () => {
    expect(pods.map(({ automountServiceAccountToken }) => automountServiceAccountToken)).toEqual(
      pods.map(() => false),
    );
  });

  it('scales by the rights of workers', () => {
    expect(readSample('kubernetes/keda.yaml')).toMatch(/name: veil-worker\n\s+key: database\n/);
  });
});

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
}

describe('policies of S3', () => {
  const allows = (role: 'api' | 'worker', action: string, key: string): boolean => {
    const { Statement } = JSON.parse(readSample(`s3/${role}-policy.json`)) as {
      readonly Statement: readonly Statement[];
    };
    return Statement.some(
      ({ Action, Resource }) =>
        [Action].flat().includes(`s3:${action}`) &&
        [Resource].flat().some((pattern) => {
          const text = pattern.replaceAll('.', '\\.').replaceAll('*', '.*');
          return new RegExp(`^${text}$`).test(`arn:aws:s3:::veil/${key}`);
        }),
    );
  };
  const SOURCE = 'production/input/id/source.jpg';
  const RESULT = 'production/output/id/token/anonymised.jpg';
  const PROBE = 'production/output/probe-1/probe';

  it.each([
    ['worker', 'GetObject', SOURCE, true],
    ['worker', 'PutObject', SOURCE, false],
    ['worker', 'DeleteObject', SOURCE, true],
    ['worker', 'PutObject', 'production/input/id/segment-0-token.json', true],
    ['worker', 'PutObject', RESULT, true],
    ['worker', 'PutObject', PROBE, true],
    ['worker', 'GetObject', 'another/input/id/source.jpg', false],
    ['api', 'PutObject', SOURCE, true],
    ['api', 'PutObject', RESULT, false],
    ['api', 'PutObject', PROBE, true],
    ['api', 'GetObject', RESULT, true],
    ['api', 'DeleteObject', RESULT, true],
    ['api', 'DeleteObject', 'another/output/id/token/anonymised.jpg', false],
  ] as const)('of the role %s: %s %s is allowed: %s', (role, action, key, expected) => {
    expect(allows(role, action, key)).toBe(expected);
  });
});

const postgres = await startServerForFile();

describe.skipIf(!postgres)('database/create-users.sh', () => {
  it('creates users without more rights than their roles need', async () => {
    const superuser = new URL(await postgres!.createDatabase());
    const { status, stderr } = spawnSync('sh', [join(SAMPLES, 'database/create-users.sh')], {
      encoding: 'utf8',
      env: {
        ...{ PATH: process.env['PATH'], PGHOST: superuser.hostname, PGPORT: superuser.port },
        ...{ OWNER_PASSWORD: "o'wner", API_PASSWORD: 'api', WORKER_PASSWORD: 'worker' },
      },
    });
    expect([status, stderr]).toEqual([0, '']);
    const as = (user: string): string =>
      Object.assign(new URL(superuser), { username: user, pathname: '/veil' }).href;
    await migrate(as('veil_owner'));
    await applyGrants(as('veil_owner'), 'veil_api', 'api');
    await applyGrants(as('veil_owner'), 'veil_worker', 'worker');
    const api = await openStore(as('veil_api'));
    const worker = await openStore(as('veil_worker'), { role: 'worker' });
    await accept(api, 'one');
    await claimed(worker, 'one');
    await expect(runSql(as('veil_worker'), 'DELETE FROM tasks')).rejects.toThrow('permission denied');
    const privileged = "SELECT 1 / count(*) FROM pg_roles WHERE rolname LIKE 'veil%' AND rolsuper";
    await expect(runSql(superuser.href, privileged)).rejects.toThrow('division by zero');
  });
});

const redis = await findRedis();

/** What the server answers to lines of its protocol. */
const answersTo = async (port: number, lines: readonly string[]): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  socket.end(lines.map((line) => `${line}\r\n`).join(''));
  return text(socket);
};

describe.skipIf(redis === undefined)('the queue of compose.yaml', () => {
  it('requires the password that the roles have, and evicts no job', async () => {
    const password = new URL(environmentOf('worker')['VEIL_QUEUE']!).password;
    expect(environmentOf('queue')).toEqual({ QUEUE_PASSWORD: password });
    const port = await freePort();
    const script = composed['queue']!.command!.at(-1)!.replaceAll('$$', '$');
    const server = spawn('sh', ['-c', script.replace('valkey-server -', `${redis!} - --port ${port}`)], {
      env: { ...process.env, QUEUE_PASSWORD: password },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void server.kill());
    for await (const line of createInterface(server.stdout)) if (line.includes('Ready to accept')) break;
    expect(await answersTo(port, ['PING'])).toMatch(/^-NOAUTH/);
    const settings = await answersTo(port, [`AUTH ${password}`, 'CONFIG GET maxmemory-policy']);
    expect(settings).toContain('noeviction');
  });
});
