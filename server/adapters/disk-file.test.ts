import { expect, it } from 'vitest';
import { StorageUnavailable } from '#shared/tasks/base/service-unavailable';
import { asDiskRefusal, onDisk, whileReading } from './disk-file';

const withCode = (code: string): Error =>
  Object.assign(new Error(`${code}: /home/someone/pictures`), { code });

it.each([
  ['ENOSPC', 'no disk space left'],
  ['EDQUOT', 'no disk space left'],
  ['SQLITE_FULL', 'no disk space left'],
  ['EROFS', 'cannot write to its folders'],
  ['EACCES', 'cannot write to its folders'],
  ['SQLITE_READONLY', 'cannot write to its folders'],
  ['ESTALE', 'cannot reach its file store'],
])('%s is reported in a sentence without a path, with the error as its cause', async (code, words) => {
  const cause = withCode(code);
  const refusal = (await onDisk(() => Promise.reject(cause)).catch(
    (error: unknown) => error,
  )) as StorageUnavailable;
  expect(refusal).toBeInstanceOf(StorageUnavailable);
  expect(refusal.failure.sentence).toContain(words);
  expect(refusal.failure.sentence).not.toContain('/home');
  expect(refusal.cause).toBe(cause);
});

it('leaves every other error unchanged', () => {
  for (const error of [
    withCode('ENOENT'),
    withCode('SQLITE_CORRUPT'),
    new Error('plain'),
    'text',
    undefined,
  ]) {
    expect(asDiskRefusal(error)).toBe(error);
  }
});

it('reads report a lost network folder in a sentence, and missing permission as it is', async () => {
  const lost = await whileReading(() => Promise.reject(withCode('ESTALE'))).catch((error: unknown) => error);
  expect(lost).toBeInstanceOf(StorageUnavailable);
  const denied = withCode('EACCES');
  await expect(whileReading(() => Promise.reject(denied))).rejects.toBe(denied);
});
