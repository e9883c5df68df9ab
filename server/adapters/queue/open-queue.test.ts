import { describe, expect, it } from 'vitest';
import { StartProblem } from '../../cli/start-problem';
import { recordLog } from '../../testing/recorded-log';
import { openQueue, parseRedisUrl } from './open-queue';

describe('the address of the work queue', () => {
  const { log } = recordLog();

  it.each([
    'amqp://secret@host',
    'http://secret@host',
    'secret',
    'redis://',
    'redis://secret@host/name',
    'redis://secret%@host',
    'redis://secret@host?family=4',
    'redis://secret@host?ca=file',
    'rediss://secret@host?ca=/no/such/file',
  ])('is refused by a sentence that does not repeat it: %s', async (address) => {
    const problem = await openQueue(address, { log }).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(StartProblem);
    expect(String(problem)).not.toContain('secret');
  });

  it('has a port, a user, a password and a database, and none of them is needed', () => {
    expect(parseRedisUrl(new URL('redis://host'))).toEqual({
      host: 'host',
      port: 6379,
      username: undefined,
      password: undefined,
      db: 0,
      tls: undefined,
    });
    expect(parseRedisUrl(new URL('rediss://user:p%40ss@[::1]:7000/2'))).toEqual({
      host: '::1',
      port: 7000,
      username: 'user',
      password: 'p@ss',
      db: 2,
      tls: { ca: undefined },
    });
  });
});
