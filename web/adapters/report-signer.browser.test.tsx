import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reportSigner, signingKeys } from './report-signer';

const REPORT = new TextEncoder().encode('{"format":"a report"}');

beforeEach(async () => {
  for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name!);
});
afterEach(() => vi.unstubAllGlobals());

describe('the signature of a report', () => {
  it('is valid for its bytes and its public key, and for no other bytes', async () => {
    const { publicKey, value } = (await reportSigner.sign(REPORT))!;
    expect([publicKey.length, value.length]).toEqual([32, 64]);
    const key = await crypto.subtle.importKey('raw', publicKey as BufferSource, 'Ed25519', true, ['verify']);
    const isValid = (bytes: Uint8Array): Promise<boolean> =>
      crypto.subtle.verify('Ed25519', key, value as BufferSource, bytes as BufferSource);
    expect([await isValid(REPORT), await isValid(REPORT.with(3, 0))]).toEqual([true, false]);
  });

  it('is made with one key on all visits and in all tabs, also by the first reports at once', async () => {
    const [first, second] = await Promise.all([reportSigner.sign(REPORT), reportSigner.sign(REPORT)]);
    expect(second).toEqual(first);
    expect(await reportSigner.sign(REPORT)).toEqual(first);
  });

  it('is missing where the browser keeps no keys, as in some private windows', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    vi.stubGlobal('indexedDB', undefined);
    expect(await reportSigner.sign(REPORT)).toBeUndefined();
    expect(console.error).toHaveBeenCalledWith(
      'This browser keeps no key for signatures; reports are not signed',
      expect.any(Error),
    );
  });
});

describe('the private key', () => {
  it('can be read by no script', async () => {
    await signingKeys(); // the next call reads the kept one
    const { privateKey } = await signingKeys();
    for (const format of ['jwk', 'pkcs8'] as const) {
      await expect(crypto.subtle.exportKey(format, privateKey)).rejects.toThrow('not extractable');
    }
  });
});
