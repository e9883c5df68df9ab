import { SCOPES, type Scope } from '#shared/domain/scope';
import { tokensOf, type ScopedToken, type TokenSettings } from '../adapters/access';
import { FlagError, type Flag, flag, fromFile, secretFileFlag, lastOf, onOff } from './flag';

/** The form of a bearer token (RFC 6750, section 2.1). */
const TOKEN = /^[\w.~+/-]+=*$/;

/** 16 random characters of Base64 have 96 bits; a shorter token is likely to be a word. */
const MIN_TOKEN_CHARS = 16;

// No message contains a token, which is a secret even if it is wrong.

const bearerToken = (text: string, label: string): string => {
  if (!TOKEN.test(text)) throw new FlagError(`${label} may contain only letters, digits and -._~+/=.`);
  return text;
};

const scopeOf = (name: string): Scope | undefined => SCOPES.find((scope) => scope === name);

/** `upload,read <token>`. @param place names the entry at the start of a sentence */
const scopedToken = (entry: string, place: string): ScopedToken => {
  const [names = '', token, ...more] = entry.split(/\s+/);
  const scopes = names.split(',').map(scopeOf);
  if (token === undefined || more.length > 0 || scopes.includes(undefined)) {
    throw new FlagError(
      `${place} must be scopes, separated by commas (${SCOPES.join(', ')}), then a space and a token.`,
    );
  }
  return { scopes: scopes as Scope[], token: bearerToken(token, `The token in ${place}`) };
};

/** One token on each line or between semicolons; empty lines and those that start with `#` are ignored. */
const scopedTokens = (text: string, label: string): readonly ScopedToken[] => {
  const entries = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .flatMap((line) => line.split(';'))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const tokens = entries.map((entry, index) => scopedToken(entry, `${label}: entry ${index + 1}`));
  if (tokens.length === 0) throw new FlagError(`${label} must contain a token.`);
  if (new Set(tokens.map(({ token }) => token)).size < tokens.length) {
    throw new FlagError(`${label} must contain each token once, with all of its scopes.`);
  }
  return tokens;
};

/** Sentences for the operator about tokens that are easy to guess. They work. */
export const tokenWarnings = (settings: TokenSettings): readonly string[] =>
  tokensOf(settings)
    .filter(({ token }) => token.length < MIN_TOKEN_CHARS)
    .map(
      ({ scopes }) =>
        `Warning: a token with the scope ${scopes.join(', ')} has fewer than ${MIN_TOKEN_CHARS} characters and may be guessed: use a random one, such as from openssl rand -hex 32.`,
    );

/**
 * Refuses a gate that nobody could open, or that everybody could pass.
 *
 * @throws FlagError
 */
export const requireReviewers = (settings: TokenSettings & { readonly releaseGate: boolean }): void => {
  if (!settings.releaseGate) return;
  const tokens = tokensOf(settings);
  const isReviewer = ({ scopes }: ScopedToken): boolean => scopes.includes('edit') || scopes.includes('all');
  if (tokens.some(isReviewer)) return;
  throw new FlagError(
    tokens.length === 0
      ? '--release-gate needs tokens: without them everybody could release results; see --tokens.'
      : '--release-gate needs a token with the scope edit: nobody could release results; see --tokens.',
  );
};

export const TOKEN_FLAGS: readonly Flag[] = [
  flag(
    'token <secret>',
    'token for everything; if there are tokens, every API request must send one as "Authorization: Bearer <secret>"; other users can see flags, so prefer VEIL_TOKEN or --token-file (none)',
    lastOf(bearerToken, (token) => ({ token })),
  ),
  flag(
    `${secretFileFlag('token')} <file>`,
    'file that contains only the token (none)',
    lastOf(fromFile(bearerToken), (token) => ({ token })),
  ),
  flag(
    'tokens <scopes secret>',
    `tokens with scopes, separated by semicolons, such as "upload,read <secret>; metrics <secret>"; scopes: ${SCOPES.join(', ')} (none)`,
    lastOf(scopedTokens, (tokens) => ({ tokens })),
  ),
  flag(
    `${secretFileFlag('tokens')} <file>`,
    'file that contains tokens with scopes, one on each line, such as "upload,read <secret>" (none)',
    lastOf(fromFile(scopedTokens), (tokens) => ({ tokens })),
  ),
  flag(
    'insecure',
    'accepts requests from other machines without a token',
    lastOf(onOff, (insecure) => ({ insecure })),
  ),
];
