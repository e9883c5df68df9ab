/**
 * Stands in for `tldts`, two thirds of what msw brings into the page: the list of all domains under which strangers
 * have theirs.
 *
 * msw asks it whether a cookie may be set for a domain. The API sets none, and the page answers for its own origin
 * alone, so that each host is a domain to itself.
 */
export const getDomain = (host: string): string => host;
