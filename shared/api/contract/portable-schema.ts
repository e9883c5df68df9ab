type Json = Readonly<Record<string, unknown>>;

/** Code units that are no characters: the texts of Go and Rust have none, and their patterns cannot name them. */
const SURROGATES = String.raw`\ud800-\udfff`;

/** The notations of a character that ECMAScript, Python and RE2 (Go, Rust) share are `\x41` and the character. */
const character = (hex: string): string => {
  const code = Number.parseInt(hex, 16);
  return code < 0x100 ? String.raw`\x${hex.slice(2)}` : String.fromCharCode(code);
};

const portablePattern = (pattern: string): string =>
  pattern.replaceAll(SURROGATES, '').replace(/\\u([\da-f]{4})/g, (_, hex: string) => character(hex));

/**
 * JSON Schema 2020-12 names the items of a tuple `prefixItems`; older drafts give `items` a list, and some tools know
 * neither. All items of our tuples have one schema, so an array of a fixed length says the same.
 */
const portableTuple = (schema: Json, [item, ...others]: readonly unknown[]): Json => {
  const { items, additionalItems: _closed, ...rest } = schema;
  const isSame = (other: unknown): boolean => JSON.stringify(other) === JSON.stringify(item);
  if (!others.every(isSame)) throw new Error('a tuple of different items has no portable schema');
  return { ...rest, items: item, maxItems: (items as readonly unknown[]).length };
};

const portableObject = (json: Json): Json => {
  const { items, pattern } = json;
  if (Array.isArray(items)) return portableTuple(json, items);
  return typeof pattern === 'string' ? { ...json, pattern: portablePattern(pattern) } : json;
};

/**
 * A document whose schemas all tools read: those of requests contain what TypeBox and ECMAScript alone accept.
 *
 * @param json with schemas at any depth
 */
export const portable = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(portable);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(portableObject(json as Json)).map(([key, value]) => [key, portable(value)]),
  );
};
