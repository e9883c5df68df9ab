import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { openApi } from '#shared/api/contract/openapi';
import { readQuery } from '#shared/api/http/query';
import { pathOf, ROUTES } from '#shared/api/contract/routes';
import { buildRequest, missingIn } from './build-request';
import { curlCommand, shellQuoted } from './curl-command';
import { operationsOf, type Operation, type OpenApiDocument } from './openapi-document';

const operations = operationsOf(openApi() as unknown as OpenApiDocument);
const operation = (id: string): Operation => operations.find((candidate) => candidate.id === id)!;
const picture = new File(['x'], `it's "a" street; 1,2.jpg`, { type: 'image/jpeg' });

/** What a shell makes of a command: its words. */
const wordsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `for word in ${command}; do printf '%s\\0' "$word"; done`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

describe('a request', () => {
  it("holds only what was filled in, so that defaults stay the service's own", () => {
    const { url, headers } = buildRequest(operation('uploadFile'), { method: '', face: ' ' });
    expect(url).toBe(ROUTES.uploadFile.path);
    expect(headers).toEqual({});
  });

  it('says exactly what was filled in, whatever its characters', () => {
    const values = { method: 'pixelate', 'face-threshold': '0.3', format: '{"number":[2,2]}&face=true#' };
    const { url } = buildRequest(operation('uploadFile'), values);
    const { format } = readQuery(ROUTES.uploadFile.query, url) as { readonly format: string };
    expect(format).toBe(values.format);
    expect(readQuery(ROUTES.uploadFile.query, url)).not.toHaveProperty('face');
  });

  it('puts each parameter in its place', () => {
    const upload = buildRequest(operation('uploadFile'), { 'x-is-async': 'true' }, { file: picture });
    expect(upload).toMatchObject({ method: 'POST', headers: { 'x-is-async': 'true' }, file: picture });
    const task = buildRequest(operation('getTask'), { id: '../list?confirm=$&' });
    expect(task.url).toBe(pathOf('getTask', '..%2Flist%3Fconfirm%3D%24%26'));
  });

  it('names its headers in lower case, as the engine in this tab reads them', () => {
    const { headers } = buildRequest(operation('uploadFile'), { 'Idempotency-Key': 'once' });
    expect(headers).toEqual({ 'idempotency-key': 'once' });
  });

  it('carries a token where there is one', () => {
    const { headers } = buildRequest(operation('getStatus'), {}, { token: ' secret ' });
    expect(headers).toEqual({ authorization: 'Bearer secret' });
    expect(buildRequest(operation('getStatus'), {}, { token: ' ' }).headers).toEqual({});
  });

  it('is not complete without its file and its path', () => {
    expect(missingIn(operation('uploadFile'), {}, undefined)).toEqual(['fileobject']);
    expect(missingIn(operation('uploadFile'), {}, picture)).toEqual([]);
    expect(missingIn(operation('getTask'), { id: ' ' }, undefined)).toEqual(['id']);
    expect(missingIn(operation('getTask'), { id: 'x' }, undefined)).toEqual([]);
  });
});

describe('a command', () => {
  it.each(["it's", '$(touch x)', '`x`', 'a b', '*', '~', '', '"', '\\', '#x', "''"])(
    'keeps a text one word, whatever it holds: %s',
    (text) => expect(wordsOf(shellQuoted(text))).toEqual([text]),
  );

  it('is the same request', () => {
    const values = { id: 'x', 'delete-scope': 'only-files' };
    const request = buildRequest(operation('deleteTask'), values, { token: "it's" });
    expect(wordsOf(curlCommand(request, 'http://localhost:7000'))).toEqual([
      'curl',
      '-X',
      'DELETE',
      '-H',
      "authorization: Bearer it's",
      `http://localhost:7000${request.url}`,
    ]);
  });

  it('names the file so that curl reads nothing of its own in it', () => {
    const request = buildRequest(operation('uploadFile'), {}, { file: picture });
    const upload = { part: 'fileobject', file: picture };
    expect(wordsOf(curlCommand(request, 'http://localhost:7000', { upload }))).toContain(
      `fileobject=@"it's \\"a\\" street; 1,2.jpg";type=image/jpeg`,
    );
  });

  it('saves what no terminal can show', () => {
    const request = buildRequest(operation('getAnonymised'), { id: 'x' });
    expect(curlCommand(request, 'http://localhost:7000', { saveAs: 'a.jpg' })).toContain('-o a.jpg');
  });
});
