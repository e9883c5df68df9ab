/** Allows the page's own files only and no other site, so that nothing can leave. */
const DIRECTIVES = {
  'default-src': "'self'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'style-src': "'self'",
  'img-src': "'self' blob: data:",
  'media-src': "'self' blob:",
  // Not even `blob:`: pictures in memory are shown and saved by their address, and read as the blobs that they are.
  'connect-src': "'self'",
  'worker-src': "'self'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
} as const;

const policyOf = (directives: readonly (readonly [string, string])[]): string =>
  directives.map((directive) => directive.join(' ')).join('; ');

/** For the page itself, so that the policy holds on hosts that send no headers; there one directive is not allowed. */
export const META_POLICY = policyOf(
  Object.entries(DIRECTIVES).filter(([name]) => name !== 'frame-ancestors'),
);

/** Sent with every file of the page by every host of ours, and by the page's service worker. */
export const PAGE_HEADERS = {
  'content-security-policy': policyOf(Object.entries(DIRECTIVES)),
  // Threads need shared memory, and that needs a page isolated from other sites.
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), display-capture=(), usb=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;
