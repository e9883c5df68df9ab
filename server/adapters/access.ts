import { createHash, timingSafeEqual } from 'node:crypto';
import type { AccessControl } from '#shared/ports/access';

/** The header of RFC 6750, section 2.1. The scheme's name is case-insensitive. */
const BEARER = /^Bearer +(\S+) *$/i;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Admits requests with the token.
 *
 * Digests are compared in constant time, so that the duration reveals neither a correct prefix nor the token's length.
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
