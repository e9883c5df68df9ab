import { hostNameOf, parseAuthority } from '../http/authority';
import type { Flag } from './flag';
import { must } from './values';

/** A host name in the form that is compared with requests: lower case, with Punycode for letters outside ASCII. */
const hostName = (text: string, label: string): string => {
  const url = URL.canParse(`http://${text}`) ? parseAuthority(new URL(`http://${text}`).host) : undefined;
  if (!url || /[/?#@:[\]\s]/.test(text)) throw must(label, 'a host name such as veil.example.org', text);
  return hostNameOf(url);
};

/** An origin in the form that browsers send: without a path and without the scheme's default port. */
const webOrigin = (text: string, label: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin) throw must(label, 'an origin such as http://localhost:3000', text);
  return url.origin;
};

/** Flags for host names and origins that browsers may use. */
export const SITE_FLAGS: readonly Flag[] = [
  {
    name: 'allow-host',
    value: '<name>',
    help: 'further host name under which clients may reach a server without a token; loopback names, IP addresses and the names in --host and --api-endpoint are always allowed; repeat it for several (none)',
    repeated: true,
    read: (texts, label) => ({ allowHosts: texts.map((text) => hostName(text, label)) }),
  },
  {
    name: 'allow-origin',
    value: '<origin>',
    help: 'origin of a web site whose pages may use the API, such as http://localhost:3000; repeat it for several (none)',
    repeated: true,
    read: (texts, label) => ({ allowOrigins: texts.map((text) => webOrigin(text, label)) }),
  },
];
