import { describe, expect, it } from 'vitest';
import { TEXT_KINDS, type TextKind } from '../../domain/read-text';
import { mayContain } from './text-kinds';

const FOUND: readonly (readonly [TextKind, string])[] = [
  ['email', 'Mail: anna.bergmann@example.com'],
  ['email', 'anna_lee @ post-box. net'],
  ['phone', '+49 170 1234567'],
  ['phone', 'Tel.0221/4567-89'],
  ['phone', '+1 (230) 555-2088'],
  ['card', '4111 1111 1111 1111'],
  ['card', 'Tel.4181401871804434'],
  ['card', '4111 1l11 1O11 1111'],
  ['card', '4111 1111 1111 1112'], // a misread digit
  ['iban', 'DE79 8794 8799 7624 9552 61'],
  ['iban', 'NO.DE38 0107 1337 8189 2230 38'],
  ['date', '17.11,1972'],
  ['date', '1972-11-17'],
  ['date', '3. März 2024'],
  ['date', 'Nov 17, 1972'],
  ['date', '1 0ktober 1961'],
];

describe('a line', () => {
  it.each(FOUND)('with %s is found, also if it was misread in a usual way: %s', (kind, text) => {
    expect(mayContain({ text, isCertain: false }, [kind])).toBe(true);
  });

  it.each([
    'The invoice was sent to your office on time',
    'Total amount 12,50',
    'Page 3 of 17',
    'Version 2.10.0',
    'Room 104, building B',
  ])('of ordinary words and short numbers stays: %s', (text) => {
    expect(TEXT_KINDS.filter((kind) => mayContain({ text, isCertain: true }, [kind]))).toEqual([]);
  });

  it('that is too long to be checked is one that may contain everything', () => {
    expect(mayContain({ text: 'a '.repeat(300), isCertain: true }, ['iban'])).toBe(true);
  });

  it.each(['1 '.repeat(200), 'a.'.repeat(200), 'DE79'.repeat(100), '1.'.repeat(200), 'a@'.repeat(200)])(
    'that is as long as possible is checked at once',
    (text) => void mayContain({ text, isCertain: true }, TEXT_KINDS),
  );

  it.each([
    ['card', 'No. 4111 1111 1111 1111', '4111 1111 1111 1112'],
    ['iban', 'IBAN GB82 WEST 1234 5698 7654 32 please', 'GB82 WEST 1234 5698 7654 33'],
  ] as const)('that was read for certain is decided by its check digits: %s', (kind, valid, invalid) => {
    const found = [valid, invalid].map((text) => mayContain({ text, isCertain: true }, [kind]));
    expect(found).toEqual([true, false]);
    expect(mayContain({ text: invalid, isCertain: false }, [kind])).toBe(true);
  });
});
