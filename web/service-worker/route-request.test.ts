import { expect, it } from 'vitest';
import { type RequestFacts, responderFor } from './route-request';

const SCOPE = 'http://localhost:7000/veil/';
const FILES = new Set(['index.html', 'docs.html', 'theme.js', 'models/a.onnx?sha256=12']);

const way = (address: string, asked: Partial<Omit<RequestFacts, 'url'>> = {}): string =>
  responderFor(
    { url: new URL(address, SCOPE), method: 'GET', isNavigation: false, isForServer: false, ...asked },
    SCOPE,
    (path) => FILES.has(path),
  );

it.each(['/v1/file', '/v1', '/v1/', '/v1/%zz', '/v1/file?face=1'])(
  'a script that calls %s is answered by the page alone, whatever method it uses',
  (address) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      expect(way(address, { method })).toBe('page-api');
    }
  },
);

it('a form that is submitted to the API does not leave the page', () => {
  expect(way('/v1/file', { method: 'POST', isNavigation: true })).toBe('page-api');
});

it('an API request that is marked for the server is sent to the server', () => {
  expect(way('/v1/file', { method: 'POST', isForServer: true })).toBe('server');
});

it('an API address that is opened in a tab is sent to the server', () => {
  expect(way('/v1/status', { isNavigation: true })).toBe('network');
});

it.each([
  ['another site', 'http://example.com/', {}],
  ['another publisher at the hub of models', 'https://huggingface.co/other/x/resolve/main/model.onnx', {}],
  ['a model with a query', 'https://huggingface.co/AnnotateIt/x/resolve/main/model.onnx?a=b', {}],
  ['a model, by another method', 'https://huggingface.co/AnnotateIt/x', { method: 'POST' }],
  ['a model, opened in a tab', 'https://huggingface.co/AnnotateIt/x', { isNavigation: true }],
  ['another port', 'http://localhost:7001/veil/theme.js', {}],
  ['another site, marked for the server', 'http://example.com/v1/file', { isForServer: true }],
  ['anything but the API, with a body', '/veil/theme.js', { method: 'POST' }],
  ['anything but the API, with a body, marked', '/upload', { method: 'PUT', isForServer: true }],
])('a request to %s is refused', (_, address, asked) => {
  expect(way(address, asked)).toBe('refused');
});

it('a recommended model is fetched by its own worker', () => {
  expect(way('https://huggingface.co/AnnotateIt/x/resolve/main/model.onnx')).toBe('model-hub');
});

it('files that another app shares are received by the worker, and never sent', () => {
  for (const isForServer of [false, true]) {
    expect(way('share', { method: 'POST', isNavigation: true, isForServer })).toBe('share');
  }
  expect(way('share?to=server', { method: 'POST', isNavigation: true })).toBe('refused');
  expect(way('/share', { method: 'POST', isNavigation: true })).toBe('refused');
});

it('the query is part of a file’s address, but not of a page’s', () => {
  expect(way('models/a.onnx?sha256=12')).toBe('file');
  expect(way('models/a.onnx?sha256=13')).toBe('network');
  expect(way('./?a=b', { isNavigation: true })).toBe('file');
  expect(way('docs', { isNavigation: true })).toBe('file');
  expect(way('docs.html', { isNavigation: true })).toBe('file');
  expect(way('healthz', { isNavigation: true })).toBe('network');
});

it('files outside the folder of the page are not files of the page', () => {
  expect(way('/theme.js')).toBe('network');
});
