import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { toHex } from './byte-text';
import { publicKeyPem } from './signed-report';

it('the PEM of a public key is the one that Node writes', () => {
  for (let time = 0; time < 20; time += 1) {
    const { publicKey } = generateKeyPairSync('ed25519');
    const public_key = toHex(publicKey.export({ format: 'der', type: 'spki' }).subarray(12));
    expect(publicKeyPem({ public_key })).toBe(publicKey.export({ format: 'pem', type: 'spki' }));
  }
});
