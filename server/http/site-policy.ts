import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '#shared/api/contract/errors';
import { quoted } from '#shared/api/http/query';
import { tokensOf } from '../adapters/access';
import type { Config } from '../cli/config';
import { isIPv4 } from 'node:net';

/** A name, an IPv4 address, or an IPv6 address in brackets, each with or without a port; no user, path or escape. */
const AUTHORITY = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{0,5})?$/i;
/** Binds a link-local address to an interface; URLs have no place for it. */
const ZONE = /%[^\]]*(?=\])/;

/**
 * Reads what a `Host` header or a URL names as its server.
 *
 * The URL parser brings a host into the one form that browsers use: lower case, `0x7f.1` as `127.0.0.1`, IPv6 as short
 * as it gets. It would also accept `evil@localhost` and `local%68ost`, so what may stand here is checked before.
 *
 * @param protocol its default port is left away
 * @returns undefined for anything but a host and a port
 */
export const parseAuthority = (text: string, protocol = 'http:'): URL | undefined => {
  const address = text.replace(ZONE, '');
  const url = `${protocol}//${address}`;
  return AUTHORITY.test(address) && URL.canParse(url) ? new URL(url) : undefined;
};

/** `localhost.` and `localhost` are one name: the dot says that no search domain is to be added. */
export const hostNameOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '');

/** An address reaches one machine, whatever a name server says: DNS rebinding needs a name. */
const isAddress = (hostName: string): boolean => hostName.startsWith('[') || isIPv4(hostName);

/** Names that every resolver keeps on this machine (RFC 6761, section 6.3). */
const isLoopbackName = (hostName: string): boolean => /(?:^|\.)localhost$/.test(hostName);

/** Which names the server answers to, and which web sites may use it through their visitors' browsers. */
export interface SitePolicy {
  /** Undefined: a token protects the server, and every name and site is let through to it. */
  readonly names: ReadonlySet<string> | undefined;
  /** Where clients reach the server when a proxy does not pass `Host` on; undefined: only where `Host` says. */
  readonly publicOrigin: string | undefined;
  /** Other sites that may use the API. */
  readonly allowedOrigins: ReadonlySet<string>;
}

/** What the decision depends on. */
export interface SiteRequest {
  readonly method: string;
  /** As it stands in the request line: a path, or a whole URL (RFC 9112, section 3.2.2). */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

type SiteConfig = Pick<Config, 'token' | 'tokens' | 'host' | 'apiEndpoint' | 'allowHosts' | 'allowOrigins'>;

/**
 * The policy that the flags ask for.
 *
 * With a token neither names nor sites are checked: a site cannot know the token, and no browser adds it by itself as
 * it adds a cookie. The checks would refuse clients there, and protect nothing.
 */
export const sitePolicyOf = (config: SiteConfig): SitePolicy => {
  const { host, apiEndpoint, allowHosts, allowOrigins } = config;
  const endpoint = apiEndpoint === undefined ? undefined : new URL(apiEndpoint);
  const listening = parseAuthority(host);
  const own = [endpoint, listening].flatMap((url) => (url ? [hostNameOf(url)] : []));
  return {
    names: tokensOf(config).length === 0 ? new Set([...own, ...allowHosts]) : undefined,
    publicOrigin: endpoint?.origin,
    allowedOrigins: new Set(allowOrigins),
  };
};

/** All that the request names as its server: browsers and most clients say it once, in `Host`. */
const authoritiesOf = ({ target, headers }: SiteRequest): readonly string[] => {
  const [, ofTarget] = /^[a-z][\w+.-]*:\/\/([^/?#]*)/i.exec(target) ?? [];
  return [ofTarget, headers.host].filter((each) => each !== undefined);
};

const isOwnName = (authority: string, names: ReadonlySet<string>): boolean => {
  const url = parseAuthority(authority);
  if (!url) return false;
  const name = hostNameOf(url);
  return isAddress(name) || isLoopbackName(name) || names.has(name);
};

/** A person follows a link or types an address: the answer is shown to them, and no site can read it. */
const isNavigation = ({ method, headers }: SiteRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document';

/** Schemes are not compared: behind a proxy that ends TLS, the server sees http where the browser sees https. */
const isOriginOf = (origin: string, authority: string | undefined): boolean => {
  if (authority === undefined || !URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  return parseAuthority(authority, protocol)?.host === host;
};

/** Whether a page of this server sent the request, or no page at all. */
const isOwnRequest = (request: SiteRequest, { publicOrigin }: SitePolicy): boolean => {
  const { origin, 'sec-fetch-site': site } = request.headers;
  // Only browsers say it, and scripts cannot; `none`: a person did, by the address bar or a bookmark.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined || origin === publicOrigin) return true;
  // Browsers hide the origin of a page with `referrer-policy: no-referrer`, such as ours, in some of its requests.
  if (origin === 'null') return site === 'same-origin';
  return isOriginOf(origin, authoritiesOf(request)[0]);
};

export const isAllowedOrigin = ({ allowedOrigins }: SitePolicy, origin: string | undefined): boolean =>
  origin !== undefined && allowedOrigins.has(origin);

/**
 * Says why a request is refused, before its path or body is read; undefined: it is not.
 *
 * Without a token whoever reaches the port may use the API, and a browser reaches it for every site that it shows. So a
 * request must name the server as one of its own names, which a rebound DNS name is not, and must not come from a page
 * of another origin. Clients that are no browsers send neither `Origin` nor `Sec-Fetch-Site`, and are let through. So
 * is HTTP/1.0 without `Host`: no browser speaks it.
 */
export const refusalOf = (request: SiteRequest, policy: SitePolicy): ApiError | undefined => {
  const { names } = policy;
  if (names === undefined) return undefined;
  const foreign = authoritiesOf(request).find((authority) => !isOwnName(authority, names));
  if (foreign !== undefined) return new ApiError('host_not_allowed', quoted(foreign));
  const { origin } = request.headers;
  if (isNavigation(request) || isAllowedOrigin(policy, origin) || isOwnRequest(request, policy)) {
    return undefined;
  }
  return new ApiError('origin_not_allowed', origin === undefined ? 'another web site' : quoted(origin));
};
