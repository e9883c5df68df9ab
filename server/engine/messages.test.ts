import { describe, expect, it } from 'vitest';
import { checkMessage } from './messages';

const BLANK = {
  kind: 'failure',
  failure: { kind: 'bad-file', sentence: 'The picture is blank.' },
  isUnreadable: true,
};

describe('a message of the engine process', () => {
  it.each([
    { type: 'result', id: 1, value: { any: 'thing' } },
    { type: 'call', id: 2, of: 1, place: '2', args: [0.5] },
    { type: 'failure', id: 1, error: BLANK },
    { type: 'failure', id: 1, error: { kind: 'fault', name: 'E', message: 'm', stack: undefined } },
    {
      type: 'failure',
      id: 1,
      error: { kind: 'fault', name: 'E', message: 'm', stack: 's', code: 'ENOENT', syscall: 'open' },
    },
    { type: 'call', id: 2, of: 1, place: '1.target.write', args: [0] },
  ])('is accepted if it is one of the protocol: $type', (message) => {
    expect(checkMessage(message)).toBe(message);
  });

  it.each([
    ['calls a method that no call has offered', { type: 'call', id: 2, place: '1.write', args: [] }],
    ['calls an unknown method', { type: 'call', id: 2, of: 1, place: '1.constructor', args: [] }],
    ['follows properties', { type: 'call', id: 2, of: 1, place: '1.report.constructor', args: [] }],
    ['commits a file', { type: 'call', id: 2, of: 1, place: '1.target.commit', args: [] }],
    [
      'offers functions to the host',
      { type: 'call', id: 2, method: 'ping', data: [], places: ['0'], hasSignal: false },
    ],
    [
      'fails with an error of the host',
      {
        type: 'failure',
        id: 1,
        error: { ...BLANK, failure: { kind: 'no-storage', sentence: 'The disk is full.' } },
      },
    ],
    ['reports a lost GPU', { type: 'ended', cause: 'gpu-lost', detail: '' }],
    ['is of no type', { id: 1 }],
    ['is no object', 'result'],
  ])('is refused if it %s', (_what, message) => {
    expect(() => checkMessage(message)).toThrow('unknown message');
  });
});
