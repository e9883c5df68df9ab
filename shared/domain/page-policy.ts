/** Content Security Policy: only the page's own files and no other site, so that no data can leave the page. */
const DIRECTIVES = {
  'default-src': "'self'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'style-src': "'self'",
  'img-src': "'self' blob: data:",
  'media-src': "'self' blob:",
  // Without `blob:`, because nothing fetches blob URLs: they serve only for showing and saving.
  'connect-src': "'self'",
  'worker-src': "'self'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
} as const;

const policyOf = (directives: readonly (readonly [string, string])[]): string =>
  directives.map((directive) => directive.join(' ')).join('; ');

/** The policy for a `<meta>` element, for hosts that send no headers. `frame-ancestors` is not allowed there. */
export const META_POLICY = policyOf(
  Object.entries(DIRECTIVES).filter(([name]) => name !== 'frame-ancestors'),
);

/** Headers of the files of the page, sent by our servers and by the page's service worker. @see pageHeaders */
export const PAGE_HEADERS = {
  'content-security-policy': policyOf(Object.entries(DIRECTIVES)),
  // Threads need shared memory, which browsers allow only in pages that are isolated from other sites.
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), display-capture=(), usb=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** The recommended models are public files of this publisher … */
// oxlint-disable-next-line veil/no-foreign-urls -- the one exception: decision 48
const MODEL_HUB = 'https://huggingface.co/AnnotateIt/';
/** … which the hub stores at changing hosts of this domain. */
const HUB_STORAGE = 'https://*.hf.co';

/** Whether an address is that of a recommended model. It has no query, so it carries no data. */
export const isHubModel = (address: string): boolean =>
  address.startsWith(MODEL_HUB) && !address.includes('?');

/** The worker that downloads recommended models. It may connect to the hub, and to nothing else. */
const MODEL_FETCHER = /(^|\/)assets\/fetch-models-[\w-]+\.js$/;
const FETCHER_POLICY = policyOf([
  ['default-src', "'none'"],
  ['script-src', "'self'"],
  ['connect-src', `${MODEL_HUB} ${HUB_STORAGE}`],
]);

/** Headers of a file of the page. @param path without a query */
export const pageHeaders = (path: string): Readonly<Record<string, string>> =>
  MODEL_FETCHER.test(path) ? { ...PAGE_HEADERS, 'content-security-policy': FETCHER_POLICY } : PAGE_HEADERS;
