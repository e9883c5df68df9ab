/** In seconds. */
const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Decimal units, as disks and browsers count. */
const KILOBYTE = 1e3;
const MEGABYTE = 1e6;

/** Formats numbers, units and lists in the notation of a language. @param locale BCP 47 */
export const createFormats = (locale: string) => {
  const plural = new Intl.PluralRules(locale);
  const share = new Intl.NumberFormat(locale, { style: 'percent' });
  const whole = new Intl.NumberFormat(locale);
  const all = new Intl.ListFormat(locale);
  const facts = new Intl.ListFormat(locale, { type: 'unit' });

  /** Formatters by options, because creating one takes longer than using it a hundred times. */
  const made = new Map<string, Intl.NumberFormat>();
  const decimal = (value: number, digits: number, options: Intl.NumberFormatOptions = {}): string => {
    const all = { ...options, minimumFractionDigits: digits, maximumFractionDigits: digits };
    const key = JSON.stringify(all);
    const format = made.get(key) ?? new Intl.NumberFormat(locale, all);
    made.set(key, format);
    return format.format(value);
  };
  const amount = (value: number, unit: string, digits = 0): string =>
    decimal(value, digits, { style: 'unit', unit });
  const padded = (value: number, integerDigits: number, digits = 0): string =>
    decimal(value, digits, { minimumIntegerDigits: integerDigits, useGrouping: false });

  /** @param digits decimal places of the seconds */
  const clockOf = (seconds: number, digits: number): string => {
    const [hours, minutes] = [Math.floor(seconds / HOUR), Math.floor((seconds % HOUR) / MINUTE)];
    const rest = [padded(minutes, hours > 0 ? 2 : 1), padded(seconds % MINUTE, 2, digits)];
    return [...(hours > 0 ? [padded(hours, 1)] : []), ...rest].join(':');
  };
  const megabytes = (bytes: number): string =>
    amount(bytes / MEGABYTE, 'megabyte', bytes < 10 * MEGABYTE ? 1 : 0);

  return {
    number: (value: number): string => whole.format(value),
    decimal,
    /** `1 file`, `2 files`. */
    many: (count: number, one: string, other: string): string =>
      `${whole.format(count)} ${plural.select(count) === 'one' ? one : other}`,
    /** @param value 0..1 */
    percent: (value: number): string => share.format(value),
    megabytes,
    bytes: (bytes: number): string => {
      if (bytes >= MEGABYTE) return megabytes(bytes);
      if (bytes >= KILOBYTE) return amount(bytes / KILOBYTE, 'kilobyte', bytes < 10 * KILOBYTE ? 1 : 0);
      return decimal(bytes, 0, { style: 'unit', unit: 'byte', unitDisplay: 'long' });
    },
    milliseconds: (value: number): string => amount(value, 'millisecond'),
    seconds: (value: number, digits = value < 10 ? 1 : 0): string => amount(value, 'second', digits),
    /** Rounded, because it is an estimate. @returns for example `1 hr 5 min` */
    roughDuration: (seconds: number): string => {
      if (seconds < MINUTE) return amount(Math.max(1, Math.round(seconds)), 'second');
      const minutes = Math.round(seconds / MINUTE);
      if (minutes < 60) return amount(minutes, 'minute');
      return `${amount(Math.floor(minutes / 60), 'hour')} ${amount(minutes % 60, 'minute')}`;
    },
    /** A position in a video. @returns for example `1:05` or `1:00:05` */
    clock: (seconds: number): string => clockOf(Math.floor(seconds), 0),
    /** @returns for example `1:05.4` */
    tenths: (seconds: number): string => clockOf(Math.round(seconds * 10) / 10, 1),
    /** `a, b, and c`. */
    list: (items: readonly string[]): string => all.format(items),
    /** A list without a conjunction: `a, b`. */
    facts: (items: readonly string[]): string => facts.format(items),
  };
};
