import { describe, expect, it } from 'vitest';
import { checkMessage } from './check-message';

describe('a message of the engine process', () => {
  it.each([
    { type: 'result', id: 1, value: { any: 'thing' } },
    { type: 'progress', id: 1, progress: 0.5 },
    { type: 'failure', id: 1, error: { kind: 'unreadable', sentence: 'The picture is blank.' } },
    { type: 'failure', id: 1, error: { kind: 'fault', name: 'E', message: 'm', stack: undefined } },
    {
      type: 'failure',
      id: 1,
      error: { kind: 'fault', name: 'E', message: 'm', stack: 's', code: 'ENOENT', syscall: 'open' },
    },
    { type: 'call', id: 2, of: 1, method: 'write', args: [{ kind: 'value', value: 0 }] },
    { type: 'ended', cause: 'stuck', detail: '' },
  ])('is accepted if it is one of the protocol: $type', (message) => {
    expect(checkMessage(message)).toBe(message);
  });

  it.each([
    ['calls a method that no call has offered', { type: 'call', id: 2, method: 'write', args: [] }],
    ['calls an unknown method', { type: 'call', id: 2, of: 1, method: 'constructor', args: [] }],
    [
      'offers functions to the host',
      { type: 'call', id: 2, of: 1, method: 'read', args: [{ kind: 'offer' }] },
    ],
    ['reports a lost GPU', { type: 'ended', cause: 'gpu-lost', detail: '' }],
    ['is of no type', { id: 1 }],
    ['is no object', 'result'],
  ])('is refused if it %s', (_what, message) => {
    expect(() => checkMessage(message)).toThrow('unknown message');
  });
});
