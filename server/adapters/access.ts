import { createHash, timingSafeEqual } from 'node:crypto';
import type { Scope } from '#shared/domain/scope';
import type { AccessControl } from '#shared/ports/system';

/** A secret, and what its bearer may do. */
export interface ScopedToken {
  readonly token: string;
  readonly scopes: readonly Scope[];
}

/** Settings that name tokens. */
export interface TokenSettings {
  /** A token for everything; undefined: there is none. */
  readonly token: string | undefined;
  readonly tokens: readonly ScopedToken[];
}

/** All tokens of the settings; none: everybody is admitted. */
export const tokensOf = ({ token, tokens }: TokenSettings): readonly ScopedToken[] =>
  token === undefined ? tokens : [{ token, scopes: ['all'] }, ...tokens];

/** The header of RFC 6750, section 2.1. The scheme's name is case-insensitive. */
const BEARER = /^Bearer +(\S+) *$/i;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Admits requests with one of the tokens.
 *
 * Digests are compared in constant time, and all of them, so that the duration reveals neither a correct prefix nor the
 * token's length nor which token it is.
 */
export const createTokenAccess = (tokens: readonly ScopedToken[]): AccessControl => {
  const known = tokens.map(({ token, scopes }) => ({ expected: digest(token), scopes: new Set(scopes) }));
  return {
    scopesOf: (authorization = '') => {
      const [, given] = BEARER.exec(authorization) ?? [];
      if (given === undefined) return undefined;
      const own = digest(given);
      return known.filter(({ expected }) => timingSafeEqual(own, expected))[0]?.scopes;
    },
  };
};

/** Undefined where the settings name no token, and everybody is admitted. */
export const accessOf = (settings: TokenSettings): AccessControl | undefined => {
  const tokens = tokensOf(settings);
  return tokens.length === 0 ? undefined : createTokenAccess(tokens);
};
