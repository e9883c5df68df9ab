const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** A strong tag: whoever has it has these very bytes. @param text of letters, digits and dashes */
export const entityTag = (text: string): string => `"${text}"`;

/**
 * Whether an `If-None-Match` header names a tag. Weak and strong ones are alike here.
 *
 * @see RFC 9110, section 13.1.2
 */
export const namesTag = (header: string | undefined, tag: string): boolean =>
  header?.trim() === '*' || [...(header ?? '').matchAll(ENTITY_TAG)].some(([, opaque]) => opaque === tag);
