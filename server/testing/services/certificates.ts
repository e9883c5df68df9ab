import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files of a certificate authority and of a server at 127.0.0.1 and `localhost`. */
export interface Certificates {
  readonly ca: string;
  readonly key: string;
  readonly certificate: string;
}

/** Creates an authority of its own, and a server certificate that it has signed. */
export const createCertificates = (folder: string): Certificates => {
  const path = (name: string): string => join(folder, name);
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', [...args], { stdio: 'ignore' });
  };
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const days = ['-days', '2'];
  const authority = ['-subj', '/CN=Authority of tests', '-keyout', path('ca.key'), '-out', path('ca.pem')];
  openssl('req', '-x509', ...key, ...days, ...authority);
  openssl('req', ...key, '-subj', '/CN=localhost', '-keyout', path('server.key'), '-out', path('server.csr'));
  writeFileSync(path('names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  const signer = ['-CA', path('ca.pem'), '-CAkey', path('ca.key'), '-CAcreateserial'];
  const files = ['-in', path('server.csr'), '-out', path('server.pem'), '-extfile', path('names')];
  openssl('x509', '-req', ...signer, ...days, ...files);
  return { ca: path('ca.pem'), key: path('server.key'), certificate: path('server.pem') };
};
