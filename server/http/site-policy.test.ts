import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Config } from '../cli/config';
import { refusalOf } from './site-policy';
import { fakeSites } from '../testing/fake-sites';

const APP = 'https://app.example.org';
const HOST = 'localhost:7000';
const OWN = `http://${HOST}`;

interface Sent {
  readonly method?: string;
  readonly target?: string;
  readonly headers: IncomingHttpHeaders;
}
/** @returns the code of the error, or `let through` */
const verdictOf = (
  { method = 'GET', target = '/v1/status', headers }: Sent,
  changes: Partial<Config> = {},
): string => refusalOf({ method, target, headers }, fakeSites(changes))?.code ?? 'let through';

describe('a server without a token answers to', () => {
  it.each([
    'localhost',
    'localhost:7000',
    'LocalHost:7000',
    'localhost.:7000',
    'localhost:',
    'veil.localhost:7000',
    '127.0.0.1:7000',
    '127.0.0.1',
    '192.168.7.20:7000',
    '[::1]:7000',
    '[::1]',
    '[0:0:0:0:0:0:0:1]:7000',
    '[::ffff:127.0.0.1]:7000',
    '[fe80::1%eth0]:7000',
    '0x7f.1:7000',
  ])('a loopback name or an address, however it is written: %s', (host) => {
    expect(verdictOf({ headers: { host } })).toBe('let through');
  });

  it.each([
    'evil.example',
    'evil.example:7000',
    'EVIL.example.:7000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'notlocalhost',
    'localhost..',
    'evil.example@localhost',
    'localhost@evil.example',
    'localhost:7000@evil.example',
    'evil.example#localhost',
    'evil.example/localhost',
    'evil.example\\localhost',
    'local%68ost',
    'localhost, evil.example',
    'localhost:99999',
    'localhost:x',
    '[::1].evil.example',
    '[evil.example]',
    '1.2.3.4.5',
    '::1',
    '',
    'ｌocalhost',
  ])('no other name, so that a rebound DNS name reaches nothing: %j', (host) => {
    expect(verdictOf({ headers: { host } })).toBe('host_not_allowed');
  });

  it('its own names by --api-endpoint, --host and --allow-host, at every port', () => {
    const changes = {
      apiEndpoint: 'https://Veil.example.org/veil',
      host: 'veil.lan',
      allowHosts: ['veil', 'xn--bcher-kva.example'],
    };
    for (const host of ['veil.example.org', 'VEIL.EXAMPLE.ORG.:443', 'veil.lan:7000', 'veil:80']) {
      expect(verdictOf({ headers: { host } }, changes)).toBe('let through');
    }
    expect(verdictOf({ headers: { host: 'xn--bcher-kva.example' } }, changes)).toBe('let through');
    expect(verdictOf({ headers: { host: 'sub.veil.example.org' } }, changes)).toBe('host_not_allowed');
  });

  it('HTTP/1.0 without a Host, which no browser sends', () => {
    expect(verdictOf({ headers: {} })).toBe('let through');
    expect(verdictOf({ headers: { origin: OWN } })).toBe('origin_not_allowed');
  });

  it('what the request line names rather than Host, where it names a server', () => {
    const headers = { host: HOST };
    expect(verdictOf({ target: `${OWN}/v1/status`, headers })).toBe('let through');
    expect(verdictOf({ target: 'http://evil.example/v1/status', headers })).toBe('host_not_allowed');
    expect(verdictOf({ target: 'HTTP://evil.example', headers })).toBe('host_not_allowed');
    expect(verdictOf({ target: `${OWN}/v1/status`, headers: { host: 'evil.example' } })).toBe(
      'host_not_allowed',
    );
    expect(verdictOf({ target: '/v1/status?x=http://evil.example/', headers })).toBe('let through');
    expect(verdictOf({ target: '*', method: 'OPTIONS', headers })).toBe('let through');
  });
});

describe('a server without a token takes requests', () => {
  it.each<[string, IncomingHttpHeaders]>([
    ['of curl, which names no site', {}],
    ["of Node's fetch, which sends a mode alone", { 'sec-fetch-mode': 'cors' }],
    ['of its own page', { origin: OWN, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
    ['of its own page without an origin', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' }],
    ['of its own page with a hidden origin', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    ['of its own page in a browser that marks nothing', { origin: OWN }],
    ['that a person typed', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  ])('%s', (_, headers) => {
    expect(verdictOf({ method: 'POST', headers: { host: HOST, ...headers } })).toBe('let through');
  });

  it.each([
    ['http://127.0.0.1:7000', '127.0.0.1:7000'],
    ['http://[::1]:7000', '[0:0::1]:7000'],
    ['http://localhost', 'localhost:80'],
    ['http://localhost:7000', 'LOCALHOST:7000'],
    ['http://localhost.:7000', 'localhost.:7000'],
  ])('of its own page at %s, where Host is %s', (origin, host) => {
    expect(verdictOf({ method: 'POST', headers: { origin, host } })).toBe('let through');
  });

  it.each<[string, IncomingHttpHeaders]>([
    [
      'a form',
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    ],
    ['a form, in a browser that marks nothing', { origin: 'https://evil.example' }],
    ['a simple fetch', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['a file or a data: page, in a browser that marks nothing', { origin: 'null' }],
    [
      'a page at another port of this machine',
      { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' },
    ],
    ['a page at another port, in a browser that marks nothing', { origin: 'http://localhost:3000' }],
    ['a page at another name of this machine', { origin: 'http://127.0.0.1:7000' }],
    ['a subdomain', { origin: 'http://evil.localhost:7000', 'sec-fetch-site': 'same-site' }],
    ['a site that hides its origin', { 'sec-fetch-site': 'cross-site' }],
    ['a mark that is not known', { 'sec-fetch-site': 'nearby' }],
    [
      'a mark that contradicts its origin',
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ],
    ['two origins', { origin: `${OWN}, https://evil.example` }],
    ['no origin in an empty header', { origin: '' }],
  ])('but not of another origin: %s', (_, headers) => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      expect(verdictOf({ method, headers: { host: HOST, ...headers } })).toBe('origin_not_allowed');
    }
  });

  it.each<[string, IncomingHttpHeaders]>([
    ['an image', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['a video', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'video', range: 'bytes=0-' }],
    ['a script', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }],
    ['a frame', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
    ['an object', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'object' }],
    ['a style sheet', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'style' }],
    ['a WebSocket', { 'sec-fetch-mode': 'websocket', 'sec-fetch-dest': 'websocket', upgrade: 'websocket' }],
    ['a prefetch', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty', 'sec-purpose': 'prefetch' }],
  ])('nor does it give another site what it embeds: %s', (_, headers) => {
    for (const site of ['cross-site', 'same-site']) {
      expect(verdictOf({ headers: { host: HOST, 'sec-fetch-site': site, ...headers } })).toBe(
        'origin_not_allowed',
      );
    }
  });

  it('of a person who follows a link, and of no form that looks like one', () => {
    const headers = {
      host: HOST,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    expect(verdictOf({ target: '/', headers })).toBe('let through');
    expect(verdictOf({ target: '/v1/file/a/anonymised', headers })).toBe('let through');
    expect(verdictOf({ target: '/', headers: { ...headers, host: 'evil.example' } })).toBe(
      'host_not_allowed',
    );
    expect(verdictOf({ method: 'POST', headers: { ...headers, origin: 'null' } })).toBe('origin_not_allowed');
  });

  it('of the sites that --allow-origin names, and of no others like them', () => {
    const changes = { allowOrigins: [APP] };
    const of = (origin: string) =>
      verdictOf({ method: 'POST', headers: { host: HOST, origin, 'sec-fetch-site': 'cross-site' } }, changes);
    expect(of(APP)).toBe('let through');
    for (const other of ['http://app.example.org', `${APP}:8443`, `${APP}.evil.example`, 'null', `${APP}/`]) {
      expect(of(other)).toBe('origin_not_allowed');
    }
    expect(verdictOf({ headers: { host: 'evil.example', origin: APP } }, changes)).toBe('host_not_allowed');
  });
});

describe('behind a proxy that ends TLS', () => {
  const page = { origin: 'https://veil.example.org', 'sec-fetch-site': 'same-origin' };

  it('the page works where Host is passed on and allowed', () => {
    const changes = { allowHosts: ['veil.example.org'] };
    for (const host of ['veil.example.org', 'veil.example.org:443']) {
      expect(verdictOf({ method: 'POST', headers: { ...page, host } }, changes)).toBe('let through');
    }
  });

  it('the page works without Host passed on where --api-endpoint says how it is reached', () => {
    const headers = { ...page, host: '127.0.0.1:7000' };
    expect(verdictOf({ method: 'POST', headers }, { apiEndpoint: 'https://veil.example.org' })).toBe(
      'let through',
    );
    expect(verdictOf({ method: 'POST', headers })).toBe('origin_not_allowed');
  });

  it('what a client claims to have been forwarded does not count', () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': HOST, forwarded: `host=${HOST}` };
    expect(verdictOf({ headers })).toBe('host_not_allowed');
  });
});

it('with a token, that is what protects: every name and site is let through to it', () => {
  const headers = { host: 'evil.example', origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  expect(verdictOf({ method: 'POST', headers }, { token: 'a' })).toBe('let through');
});

it('refusals name the flags that lift them', () => {
  const sentenceOf = (headers: IncomingHttpHeaders) =>
    refusalOf({ method: 'POST', target: '/', headers }, fakeSites());
  expect(sentenceOf({ host: 'veil.lan:7000' })).toMatchObject({
    status: 403,
    message:
      'The service does not accept the host name "veil.lan:7000": to allow it, start the service with `--allow-host` and this name.',
  });
  expect(sentenceOf({ host: HOST, origin: 'https://evil.example' })).toMatchObject({
    status: 403,
    message:
      'The service does not accept requests from pages of "https://evil.example": to allow them, start the service with `--allow-origin` and this origin.',
  });
});
