import { expect, test } from 'vitest';
import { answerBody, downloadName, taskIdIn } from './answer-body';

const answer = (contentType: string, body: string, more: Record<string, string> = {}) => ({
  status: 200,
  headers: { 'content-type': contentType, ...more },
  body: new TextEncoder().encode(body),
});

test('JSON is indented, and shown unchanged if it is invalid', () => {
  expect(answerBody(answer('application/json; charset=utf-8', '{"a":1}'))).toMatchObject({
    kind: 'json',
    text: '{\n  "a": 1\n}',
  });
  expect(answerBody(answer('application/json', '{"a":'))).toEqual({ kind: 'text', text: '{"a":' });
});

test('only images that cannot run code are displayed', () => {
  expect(answerBody(answer('image/png', 'x')).kind).toBe('image');
  expect(answerBody(answer('image/svg+xml', '<svg/>')).kind).toBe('file');
  expect(answerBody(answer('text/html', '<b>')).kind).toBe('text');
  expect(answerBody(answer('image/png', '')).kind).toBe('none');
});

test('a download has the file name of the response, or one made from the operation’s name', () => {
  const named = answer('image/png', 'x', { 'content-disposition': 'attachment; filename="street.png"' });
  expect(downloadName(named, 'getAnonymised')).toBe('street.png');
  expect(downloadName(answer('image/jpeg', 'x'), 'getAnonymised')).toBe('getAnonymised.jpg');
});

test('the task id of an upload is read from the response', () => {
  expect(taskIdIn(answerBody(answer('application/json', '{"id":"x"}')))).toBe('x');
  expect(taskIdIn(answerBody(answer('application/json', 'null')))).toBeUndefined();
  expect(taskIdIn(answerBody(answer('image/png', 'x')))).toBeUndefined();
});
