import { expect, it } from 'vitest';
import { format as german } from './de-format';
import { format as english } from './en-format';

/** Without the non-breaking spaces that keep a number and its unit on one line. */
const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');

it.each([
  [english.many(1, 'face', 'faces'), '1 face', german.many(1, 'Bild', 'Bilder'), '1 Bild'],
  [english.many(0, 'face', 'faces'), '0 faces', german.many(2, 'Bild', 'Bilder'), '2 Bilder'],
  [english.many(1234, 'face', 'faces'), '1,234 faces', german.number(1234), '1.234'],
  [english.percent(0.456), '46%', german.percent(0.456), '46 %'],
  [english.megabytes(1_260_000), '1.3 MB', german.megabytes(1_260_000), '1,3 MB'],
  [english.megabytes(126e6), '126 MB', german.megabytes(126e6), '126 MB'],
  [english.bytes(0), '0 bytes', german.bytes(0), '0 Byte'],
  [english.bytes(1), '1 byte', german.bytes(999), '999 Byte'],
  [english.bytes(1536), '1.5 kB', german.bytes(15_360), '15 kB'],
  [english.bytes(2e6), '2.0 MB', german.bytes(2e6), '2,0 MB'],
  [english.seconds(3.21), '3.2 sec', german.seconds(3.21), '3,2 Sek.'],
  [english.seconds(32.1), '32 sec', german.seconds(0.123, 2), '0,12 Sek.'],
  [english.list(['a', 'b', 'c']), 'a, b, and c', german.list(['a', 'b', 'c']), 'a, b und c'],
  [english.facts(['1 face', '2 plates']), '1 face, 2 plates', german.facts(['a', 'b']), 'a, b'],
])(
  'numbers and lists have the notation of the language: %s, expected %s (English); %s, expected %s (German)',
  (en, asEnglish, de, asGerman) => {
    expect(plain(en)).toBe(asEnglish);
    expect(plain(de)).toBe(asGerman);
  },
);

it('a rough duration has whole units and is never zero', () => {
  expect([0.2, 59, 90, 3600, 3930].map(english.roughDuration)).toEqual([
    '1 sec',
    '59 sec',
    '2 min',
    '1 hr 0 min',
    '1 hr 6 min',
  ]);
  expect(plain(german.roughDuration(3930))).toBe('1 Std. 6 Min.');
});

it('a position in a video has the notation of video players', () => {
  expect([0, 65.9, 3605].map(english.clock)).toEqual(['0:00', '1:05', '1:00:05']);
  expect([0, 65.44, 59.96].map(english.tenths)).toEqual(['0:00.0', '1:05.4', '1:00.0']);
  expect(german.tenths(65.44)).toBe('1:05,4');
});
