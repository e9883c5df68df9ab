import type { AccessControl } from '../../ports/access';
import type { Scope } from '../../domain/scope';
import { ApiError } from '../contract/errors';

/**
 * Says why a request is refused for its token: 401 without a known token, 403 if the token lacks the scope.
 *
 * @param access undefined: everybody is admitted
 * @param authorization see `AccessControl`
 * @param scope `any`: every known token is sufficient
 * @returns undefined if it is admitted
 */
export const tokenRefusal = (
  access: AccessControl | undefined,
  authorization: string | undefined,
  scope: Scope | 'any',
): ApiError | undefined => {
  if (!access) return undefined;
  const scopes = access.scopesOf(authorization);
  if (!scopes) return new ApiError('not_admitted');
  return scope === 'any' || scopes.has('all') || scopes.has(scope)
    ? undefined
    : new ApiError('scope_missing', scope);
};
