import type { Scope } from '../domain/scope';

/** Decides who may use the API. */
export interface AccessControl {
  /**
   * @param authorization value of the header `Authorization`; undefined where it was not sent
   * @returns what the token in it may do; undefined where there is none, or an unknown one
   */
  scopesOf(authorization: string | undefined): ReadonlySet<Scope> | undefined;
}
