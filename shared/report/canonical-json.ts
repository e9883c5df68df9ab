/** A value that has no canonical form. */
export class NotCanonical extends Error {
  override readonly name = 'NotCanonical';
}

const LONE_SURROGATE = /\p{Surrogate}/u;

const textOfString = (value: string): string => {
  if (LONE_SURROGATE.test(value)) throw new NotCanonical('A string is not valid Unicode.');
  return JSON.stringify(value);
};

const textOfNumber = (value: number): string => {
  if (!Number.isFinite(value)) throw new NotCanonical('A number is not finite.');
  return JSON.stringify(value);
};

const textOfObject = (value: object): string => {
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    // By UTF-16 code units, as `<` compares strings.
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${textOfString(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
};

/**
 * The canonical JSON of a value, so that equal values have equal bytes and a signature of them can be checked.
 *
 * Strings and numbers are written by `JSON.stringify`: RFC 8785 prescribes the form that ECMAScript defines. Members
 * of objects without a value are left out.
 *
 * @throws {NotCanonical} for values that JSON cannot represent
 * @see RFC 8785, section 3.2
 */
export const canonicalJson = (value: unknown): string => {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return textOfString(value);
  if (typeof value === 'number') return textOfNumber(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object') return textOfObject(value);
  throw new NotCanonical(`A value of the type ${typeof value} has no JSON.`);
};
