import { expect, test } from 'vitest';
import { answerBody, downloadName, taskIdIn } from './answer-body';

const answer = (contentType: string, body: string, more: Record<string, string> = {}) => ({
  status: 200,
  headers: { 'content-type': contentType, ...more },
  body: new TextEncoder().encode(body),
});

test('JSON is laid out, and shown as it came where it is broken', () => {
  expect(answerBody(answer('application/json; charset=utf-8', '{"a":1}'))).toMatchObject({
    kind: 'json',
    text: '{\n  "a": 1\n}',
  });
  expect(answerBody(answer('application/json', '{"a":'))).toEqual({ kind: 'text', text: '{"a":' });
});

test('only pictures that cannot run anything are shown', () => {
  expect(answerBody(answer('image/png', 'x')).kind).toBe('image');
  expect(answerBody(answer('image/svg+xml', '<svg/>')).kind).toBe('file');
  expect(answerBody(answer('text/html', '<b>')).kind).toBe('text');
  expect(answerBody(answer('image/png', '')).kind).toBe('none');
});

test("a download has the name that the service gives it, or one of the operation's", () => {
  const named = answer('image/png', 'x', { 'content-disposition': 'attachment; filename="street.png"' });
  expect(downloadName(named, 'getAnonymised')).toBe('street.png');
  expect(downloadName(answer('image/jpeg', 'x'), 'getAnonymised')).toBe('getAnonymised.jpg');
});

test('the task of an upload is kept for the operations that follow', () => {
  expect(taskIdIn(answerBody(answer('application/json', '{"id":"x"}')))).toBe('x');
  expect(taskIdIn(answerBody(answer('application/json', 'null')))).toBeUndefined();
  expect(taskIdIn(answerBody(answer('image/png', 'x')))).toBeUndefined();
});
