import type { TextKind } from '#shared/domain/read-text';
import type { Random } from '../video/random';
import { WORDS } from './text-content';

/** A line, and what must be hidden in it; absent: nothing. */
export interface MadeLine {
  readonly text: string;
  readonly kind?: TextKind;
}

const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => Math.floor(random.between(0, 9.999))).join('');

/** Completes a number by its check digit. @see ISO/IEC 7812-1, annex B */
const cardNumber = (random: Random): string => {
  const start = random.pick(['4', '51', '37', '6011']) + digits(random, 11);
  const body = start.slice(0, 15);
  const sum = [...body].reverse().reduce((total, one, i) => {
    const value = Number(one) * (i % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return body + String((10 - (sum % 10)) % 10);
};

const grouped = (text: string, size: number, between: string): string =>
  text.replaceAll(new RegExp(`.{${size}}(?=.)`, 'g'), `$&${between}`);

/** @see ISO 13616-1 */
const iban = (random: Random): string => {
  const [country, length] = random.pick([
    ['DE', 18],
    ['FR', 23],
    ['AT', 16],
    ['NL', 14],
  ] as const);
  const body = country === 'NL' ? `ABNA${digits(random, 10)}` : digits(random, length);
  const number = [...`${body}${country}00`].map((one) => parseInt(one, 36)).join('');
  const rest = [...number].reduce((left, one) => (left * 10 + Number(one)) % 97, 0);
  return `${country}${String(98 - rest).padStart(2, '0')}${body}`;
};

const NAMES = ['anna', 'bergmann', 'lee', 'keller', 'm.rossi', 'office', 'info', 'j_smith', 'lopez', 'weber'];
const HOSTS = ['example.com', 'mail.example.org', 'post-box.net', 'klinik-nord.de', 'uni.ac.uk', 'web.eu'];
const MONTHS = [
  'January',
  'Feb',
  'March',
  'Apr',
  'May',
  'Juni',
  'Juli',
  'August',
  'Sept',
  'Oktober',
  'Nov',
  'Dec',
];

const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');

const dateOf = (random: Random): string => {
  const [day, month, year] = [
    random.between(1, 28.9),
    random.between(1, 12.9),
    Math.floor(random.between(1950, 2026)),
  ];
  return random.pick([
    `${two(day)}.${two(month)}.${year}`,
    `${year}-${two(month)}-${two(day)}`,
    `${two(month)}/${two(day)}/${year}`,
    `${Math.floor(day)} ${MONTHS[Math.floor(month) - 1]} ${year}`,
    `${MONTHS[Math.floor(month) - 1]} ${Math.floor(day)}, ${year}`,
  ]);
};

const phoneOf = (random: Random): string =>
  random.pick([
    `+49 ${random.pick(['170', '30', '221'])} ${digits(random, 7)}`,
    `0${digits(random, 3)}/${digits(random, 6)}`,
    `(${random.pick(['212', '415', '617'])}) 555-${digits(random, 4)}`,
    `+44 20 7${digits(random, 3)} ${digits(random, 4)}`,
    `0${digits(random, 3)}-${digits(random, 7)}`,
  ]);

const MAKERS: Readonly<Record<TextKind, (random: Random) => string>> = {
  email: (random) =>
    `${random.pick(NAMES)}${random.pick(['', '.', '-', '_'])}${random.pick(NAMES)}@${random.pick(HOSTS)}`,
  phone: phoneOf,
  card: (random) => grouped(cardNumber(random), 4, random.pick([' ', '-', ''])),
  iban: (random) => grouped(iban(random), 4, random.pick([' ', ''])),
  date: dateOf,
};
const LABELS: Readonly<Record<TextKind, readonly string[]>> = {
  email: ['', 'Mail: ', 'E-mail ', 'Contact '],
  phone: ['', 'Tel. ', 'Phone: ', 'Mobile '],
  card: ['', 'Card ', 'No. '],
  iban: ['', 'IBAN ', 'Account '],
  date: ['', 'Date: ', 'Born ', 'Due '],
};
const KINDS = Object.keys(MAKERS) as readonly TextKind[];

const word = (random: Random): string => {
  const one = random.pick(WORDS);
  return random.between(0, 1) < 0.3 ? one[0]!.toUpperCase() + one.slice(1) : one;
};

/** Words, prices, times, numbers of rooms and pages: what is not sensitive. */
const otherLine = (random: Random): string => {
  const words = Array.from({ length: Math.floor(random.between(1, 6)) }, () => word(random)).join(' ');
  return random.pick([
    words,
    words,
    `${words}.`,
    `${word(random)} ${digits(random, 2)},${digits(random, 2)} EUR`,
    `Page ${Math.floor(random.between(1, 40))} of 40`,
    `${word(random)} ${two(random.between(0, 23))}:${two(random.between(0, 59))}`,
    `Room ${digits(random, 3)}, ${word(random)}`,
    `${word(random)}: ${word(random)}`,
  ]);
};

/** One line, of which two in five are sensitive. */
export const makeLine = (random: Random): MadeLine => {
  if (random.between(0, 1) > 0.4) return { text: otherLine(random) };
  const kind = random.pick(KINDS);
  const after = random.between(0, 1) < 0.2 ? ` ${word(random)}` : '';
  return { text: random.pick(LABELS[kind]) + MAKERS[kind](random) + after, kind };
};
