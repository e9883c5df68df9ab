const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** A strong entity tag: equal tags mean equal bytes. @param text letters, digits and dashes */
export const entityTag = (text: string): string => `"${text}"`;

/**
 * Whether an `If-None-Match` header contains a tag. Weak and strong tags are treated alike.
 *
 * @see RFC 9110, section 13.1.2
 */
export const namesTag = (header: string | undefined, tag: string): boolean =>
  header?.trim() === '*' || [...(header ?? '').matchAll(ENTITY_TAG)].some(([, opaque]) => opaque === tag);
