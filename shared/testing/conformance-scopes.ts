import { ROUTE_NAMES, ROUTES, type RouteName } from '../api/contract/routes';
import { ROUTE_SCOPES } from '../api/contract/scopes';
import { SCOPES, type Scope } from '../domain/scope';
import { must, mustBe, mustRefuse, type Answer, type ConformanceCase, type Send } from './conformance';
import { UNKNOWN_ID } from './conformance-steps';

/** The token of a scope, on a host for {@link SCOPE_CASES}. */
const tokenOf = (scope: Scope): string => `${scope}-0123456789abcdef`;

/** Tokens that the host for {@link SCOPE_CASES} must have: one for each scope. */
export const SCOPE_TOKENS = SCOPES.map((scope) => ({ token: tokenOf(scope), scopes: [scope] }));

/** Sends a request to a route, about a task that does not exist. */
const ask = (send: Send, name: RouteName, token?: string): Promise<Answer> => {
  const { method, path } = ROUTES[name];
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return send({ method, url: path.replace('{id}', UNKNOWN_ID), headers });
};

const REFUSALS = [401, 403];

const caseOf = (name: RouteName): ConformanceCase => {
  const { method, path } = ROUTES[name];
  const required = ROUTE_SCOPES[name];
  return {
    rule: `${method} ${path} requires ${required === 'any' ? 'any token' : `the scope ${required}`}`,
    run: async (send) => {
      mustRefuse(await ask(send, name), 401, 'Authorization: Bearer');
      mustRefuse(await ask(send, name, 'unknown-0123456789abcdef'), 401);
      for (const scope of SCOPES) {
        const answer = await ask(send, name, tokenOf(scope));
        if (required === 'any' || scope === required || scope === 'all') {
          must(!REFUSALS.includes(answer.status), `the token for ${scope} to be admitted`, answer.status);
          continue;
        }
        mustRefuse(answer, 403, `\`${required}\``);
        mustBe(
          answer.headers['www-authenticate'],
          `Bearer error="insufficient_scope", scope="${required}"`,
          'the challenge',
        );
      }
    },
  };
};

/** Rules about tokens, for a host that was started with {@link SCOPE_TOKENS}. */
export const SCOPE_CASES: readonly ConformanceCase[] = ROUTE_NAMES.map(caseOf);
