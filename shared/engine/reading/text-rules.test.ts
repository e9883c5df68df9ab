import { describe, expect, it } from 'vitest';
import type { ReadLine } from './read-ctc';
import { isTextMatch, textRules } from './text-rules';

/** A line of which all characters have one score. */
const read = (text: string, score = 0.9, other = ''): ReadLine => ({
  characters: [...text].map((character) => ({ character, score, other })),
  ...{ text, min: score, mean: score },
});

describe('a line stays visible', () => {
  it.each([
    ['email,phone', 'Opening hours', true],
    ['email,phone', 'mail@example.com', false],
    ['email', '+49 170 1234567', true],
    ['/INV-\\d+/', 'No. INV-2207', false],
    ['/INV-\\d+/', 'No. 2207', true],
    ['/(?i)keller/', 'Dr. KELLER', false],
  ])('unless it contains %s: %s', (textMatch, text, stays) => {
    expect(textRules({ textMatch }).stays(read(text))).toBe(stays);
  });

  it('only if it was read, and for an expression with more certainty', () => {
    const staysAt = (textMatch: string, score: number) => textRules({ textMatch }).stays(read('Exit', score));
    expect([staysAt('email', 0.89), staysAt('email', 0.91)]).toEqual([false, true]);
    const staysWithWorst = (textMatch: string, min: number) =>
      textRules({ textMatch }).stays({ ...read('Exit', 0.95), min });
    expect([staysWithWorst('email', 0.49), staysWithWorst('email', 0.51)]).toEqual([false, true]);
    expect([staysWithWorst('/q/', 0.59), staysWithWorst('/q/', 0.61)]).toEqual([false, true]);
  });

  it('not if a doubtful character may make it one that contains what is looked for', () => {
    const line = read('Room 7', 0.95);
    const doubtful = line.characters.map((one, i) => (i === 5 ? { ...one, score: 0.7, other: '9' } : one));
    const { stays } = textRules({ textMatch: '/Room 9/' });
    expect([stays(line), stays({ ...line, characters: doubtful, min: 0.7 })]).toEqual([true, false]);
  });

  it('if it consists of words that are kept, in any case and with any signs between them', () => {
    const { stays } = textRules({ textKeep: 'exit, Platform 2' });
    expect(
      ['EXIT', 'Platform: 2', 'Platform 3', 'Exit Keller', '...'].map((text) => stays(read(text))),
    ).toEqual([...[true, true, false, false, false]]);
    expect(textRules({ textMatch: 'date', textKeep: '17.11.1972' }).stays(read('17.11.1972'))).toBe(true);
  });
});

it('a match is a list of kinds, or an expression that RE2 knows', () => {
  const texts = ['email', 'email, iban', '/a+/', 'mail', 'email,', '', '/(/', '/a(?=b)/', '//', 'a+'];
  expect(texts.map(isTextMatch)).toEqual([true, true, true, ...Array<boolean>(7).fill(false)]);
});

it('an expression takes linear time', () => {
  const { stays } = textRules({ textMatch: '/^(a+)+$/' });
  expect(stays(read(`${'a'.repeat(5_000)}b`, 1))).toBe(true);
});
