import { describe, expect, it } from 'vitest';
import { checkMessage, checkHeader } from './messages';
import { imageHeader } from '#shared/testing/sniffed-files';

describe('checkHeader', () => {
  it.each([
    ['by numbers', { primaries: 12, transfer: 13 }],
    ['by a gamma', { gamma: 45_455 }],
    ['by a gamma with primaries', { gamma: 100_000, chromaticities: [1, 2, 3, 4, 5, 6, 7, 8] }],
  ])('accepts colours that are described %s', (_, colour) => {
    const header = { ...imageHeader(), colour };
    expect(checkHeader(header)).toBe(header);
  });

  it.each([
    ['nothing', {}],
    ['text', { primaries: '1', transfer: 13 }],
    ['half of the primaries', { gamma: 1, chromaticities: [1, 2, 3, 4] }],
  ])('refuses colours that are described by %s', (_, colour) => {
    const header = { ...imageHeader(), colour } as unknown as ReturnType<typeof imageHeader>;
    expect(() => checkHeader(header)).toThrow('The engine process sent a result of another form.');
  });

  it('refuses a header with an unknown format', () => {
    const header = { ...imageHeader(), format: 'exe' } as unknown as ReturnType<typeof imageHeader>;
    expect(() => checkHeader(header)).toThrow(TypeError);
  });
});

const BLANK = {
  kind: 'failure',
  failure: { kind: 'bad-file', sentence: 'The image is blank.' },
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
