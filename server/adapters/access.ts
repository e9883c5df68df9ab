import { createHash, timingSafeEqual } from 'node:crypto';
import type { AccessControl } from '#shared/ports/access';

/** RFC 6750, section 2.1; the scheme's name is written in any case. */
const BEARER = /^Bearer +(\S+) *$/i;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Admits whoever brings the token.
 *
 * Digests are compared, in constant time: the duration reveals neither how much of a guess is right nor the
 * token's length.
 */
export const createTokenAccess = (token: string): AccessControl => {
  const expected = digest(token);
  return {
    admits: (authorization = '') => {
      const [, given] = BEARER.exec(authorization) ?? [];
      return given !== undefined && timingSafeEqual(digest(given), expected);
    },
  };
};
