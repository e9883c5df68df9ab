import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { openApi } from '#shared/api/contract/openapi';
import { readQuery } from '#shared/api/http/query';
import { pathOf, ROUTES } from '#shared/api/contract/routes';
import { buildRequest, curlCommand, JSON_BODY, missingIn, shellQuoted } from './build-request';
import { operationsOf, type Operation, type OpenApiDocument } from './openapi-document';

const operations = operationsOf(openApi() as unknown as OpenApiDocument);
const operation = (id: string): Operation => operations.find((candidate) => candidate.id === id)!;
const image = new File(['x'], `it's "a" street; 1,2.jpg`, { type: 'image/jpeg' });

/** The words into which a shell splits a command. */
const wordsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `for word in ${command}; do printf '%s\\0' "$word"; done`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

describe('a request', () => {
  it('contains only filled fields, so that the service applies its own defaults', () => {
    const { url, headers } = buildRequest(operation('uploadFile'), { method: '', face: ' ' });
    expect(url).toBe(ROUTES.uploadFile.path);
    expect(headers).toEqual({});
  });

  it('contains the exact values, whatever characters they have', () => {
    const values = { method: 'pixelate', 'face-threshold': '0.3', format: '{"number":[2,2]}&face=true#' };
    const { url } = buildRequest(operation('uploadFile'), values);
    const { format } = readQuery(ROUTES.uploadFile.query, url) as { readonly format: string };
    expect(format).toBe(values.format);
    expect(readQuery(ROUTES.uploadFile.query, url)).not.toHaveProperty('face');
  });

  it('puts each parameter into its place: header, path or file', () => {
    const upload = buildRequest(operation('uploadFile'), { 'x-is-async': 'true' }, { files: [image] });
    expect(upload).toMatchObject({ method: 'POST', headers: { 'x-is-async': 'true' }, files: [image] });
    const task = buildRequest(operation('getTask'), { id: '../list?confirm=$&' });
    expect(task.url).toBe(pathOf('getTask', '..%2Flist%3Fconfirm%3D%24%26'));
  });

  it('has header names in lower case, as the engine in this tab reads them', () => {
    const { headers } = buildRequest(operation('uploadFile'), { 'Idempotency-Key': 'once' });
    expect(headers).toEqual({ 'idempotency-key': 'once' });
  });

  it('has a token if one is set', () => {
    const { headers } = buildRequest(operation('getStatus'), {}, { token: ' secret ' });
    expect(headers).toEqual({ authorization: 'Bearer secret' });
    expect(buildRequest(operation('getStatus'), {}, { token: ' ' }).headers).toEqual({});
  });

  it('sends the text of a JSON body, and is incomplete without it', () => {
    const edits = operation('putEdits');
    const values = { id: 'x', [JSON_BODY]: ' {"objects":[]} ' };
    const { method, url, headers, body } = buildRequest(edits, values);
    expect([method, url, headers['content-type']]).toEqual(['PUT', '/v1/task/x/edits', 'application/json']);
    expect(new TextDecoder().decode(body)).toBe('{"objects":[]}');
    expect(missingIn(edits, { id: 'x' }, [])).toEqual([JSON_BODY]);
    expect(curlCommand(buildRequest(edits, values), 'http://a')).toContain(`-d '{"objects":[]}'`);
  });

  it('is incomplete without its file and its path parameters', () => {
    expect(missingIn(operation('uploadFile'), {}, [])).toEqual(['fileobject']);
    expect(missingIn(operation('uploadFile'), {}, [image])).toEqual([]);
    expect(missingIn(operation('getTask'), { id: ' ' }, [])).toEqual(['id']);
    expect(missingIn(operation('getTask'), { id: 'x' }, [])).toEqual([]);
  });

  it('has as many files as the description allows: one to process, and ten photos of a subject', () => {
    const { filePart } = operation('createSubject');
    expect(filePart).toEqual({ name: 'fileobject', maxFiles: 10 });
    expect(operation('uploadFile').filePart).toEqual({ name: 'fileobject', maxFiles: 1 });
    const photos = [image, new File(['y'], 'b.jpg')];
    const request = buildRequest(operation('createSubject'), {}, { files: photos });
    expect(request.files).toEqual(photos);
    const upload = { part: 'fileobject', files: photos };
    const words = wordsOf(curlCommand(request, 'http://localhost:7000', { upload }));
    expect(words.filter((word) => word === '-F')).toHaveLength(2);
    expect(words).toContain('fileobject=@"b.jpg"');
  });
});

describe('a curl command', () => {
  it.each(["it's", '$(touch x)', '`x`', 'a b', '*', '~', '', '"', '\\', '#x', "''"])(
    'quotes a text as one word: %s',
    (text) => expect(wordsOf(shellQuoted(text))).toEqual([text]),
  );

  it('sends the same request', () => {
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

  it('quotes the file name so that curl does not interpret it', () => {
    const request = buildRequest(operation('uploadFile'), {}, { files: [image] });
    const upload = { part: 'fileobject', files: [image] };
    expect(wordsOf(curlCommand(request, 'http://localhost:7000', { upload }))).toContain(
      `fileobject=@"it's \\"a\\" street; 1,2.jpg";type=image/jpeg`,
    );
  });

  it('saves a response that a terminal cannot show', () => {
    const request = buildRequest(operation('getAnonymised'), { id: 'x' });
    expect(curlCommand(request, 'http://localhost:7000', { saveAs: 'a.jpg' })).toContain('-o a.jpg');
  });
});
