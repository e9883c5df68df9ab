import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ReportSigner } from '../ports/report-signer';
import { canonicalJson } from './canonical-json';
import { fromHex, toHex } from './hex';
import { REPORT_FORMAT, signReport } from './signed-report';
import { NoReport, verifyReport, type IsSignedBy, type Verification } from './verify-report';

const SPKI = '302a300506032b6570032100';
const PKCS8 = '302e020100300506032b657004220420';

const keyOf = (publicKey: Uint8Array) =>
  createPublicKey({ key: Buffer.from(SPKI + toHex(publicKey), 'hex'), format: 'der', type: 'spki' });

const isSignedBy: IsSignedBy = (publicKey, value, bytes) => verify(null, bytes, keyOf(publicKey), value);

const createKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(SPKI.length / 2);
  const signer: ReportSigner = {
    sign: async (bytes) => ({ publicKey: raw, value: sign(null, bytes, privateKey) }),
  };
  return { signer, publicKey: new Uint8Array(raw) };
};

const digestOf = (text: string) => ({
  sha256: createHash('sha256').update(text).digest('hex'),
  size: text.length,
});
const [SOURCE, RESULT] = ['the source', 'the result'];
const report = {
  format: REPORT_FORMAT,
  source: digestOf(SOURCE),
  result: digestOf(RESULT),
  warnings: ['one'],
  share: 0.1,
} as const;

const key = createKey();
const signed = canonicalJson(await signReport(report, key.signer));
const check = (text: string, file = RESULT, publicKey?: Uint8Array): Verification =>
  verifyReport(text, digestOf(file), publicKey, isSignedBy);

describe('a signed report', () => {
  it('matches its result with the key of its signer', () => {
    expect(check(signed, RESULT, key.publicKey)).toEqual({
      isFine: true,
      sentence: 'The file and the report match, and neither was modified.',
    });
  });

  it('matches its result without a key, and the sentence states that the signer is unknown', () => {
    const { isFine, sentence } = check(signed);
    expect([isFine, sentence.includes('the signer is unknown')]).toEqual([true, true]);
  });

  it('matches where an editor has added a line break at its end', () => {
    expect(check(`${signed}\n`).isFine).toBe(true);
  });

  it.each(RESULT.split('').map((_, at) => at))('does not match its result if byte %d is changed', (at) => {
    const changed = `${RESULT.slice(0, at)}X${RESULT.slice(at + 1)}`;
    expect(check(signed, changed, key.publicKey)).toMatchObject({ isFine: false });
  });

  it('does not match any file, or is no report, if one of its bytes is changed', () => {
    for (let at = 0; at < signed.length; at += 1) {
      const character = signed[at] === 'a' ? 'b' : 'a';
      const changed = signed.slice(0, at) + character + signed.slice(at + 1);
      let isFine = false;
      try {
        ({ isFine } = check(changed, RESULT, key.publicKey));
      } catch (error) {
        expect(error).toBeInstanceOf(NoReport);
      }
      expect(isFine, `byte ${at}`).toBe(false);
    }
  });

  it('does not match with the key of another signer', () => {
    expect(check(signed, RESULT, createKey().publicKey)).toEqual({
      isFine: false,
      sentence: 'The report was signed with another key.',
    });
  });

  it('does not match if it was signed again after a change, and the key is given', async () => {
    const forged = canonicalJson(await signReport({ ...report, warnings: [] }, createKey().signer));
    expect(check(forged).isFine).toBe(true);
    expect(check(forged, RESULT, key.publicKey).isFine).toBe(false);
  });

  it('does not match if a member occurs twice, although the last one is the signed one', () => {
    const doubled = signed.replace('"share":0.1', '"share":0.9,"share":0.1');
    expect(check(doubled)).toEqual({
      isFine: false,
      sentence: 'The report was modified after it was written.',
    });
  });

  it('does not match its source, and the sentence states that it is the source', () => {
    expect(check(signed, SOURCE)).toMatchObject({
      isFine: false,
      sentence: expect.stringContaining('source') as string,
    });
  });

  it('is signed as in RFC 8032, section 7.1, test 1', async () => {
    const secret = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
    const privateKey = createPrivateKey({
      key: Buffer.from(PKCS8 + secret, 'hex'),
      format: 'der',
      type: 'pkcs8',
    });
    const publicKey = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
    const value =
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b';
    expect(toHex(sign(null, new Uint8Array(0), privateKey))).toBe(value);
    expect(isSignedBy(fromHex(publicKey), fromHex(value), new Uint8Array(0))).toBe(true);
  });
});

it('a report without a signature never counts as unmodified', async () => {
  const unsigned = canonicalJson(await signReport(report, undefined));
  expect(JSON.parse(unsigned)).toMatchObject({ signature: null });
  expect(check(unsigned)).toMatchObject({
    isFine: false,
    sentence: expect.stringContaining('not signed') as string,
  });
});

it.each([
  ['no result', null, 'names no result'],
  ['no digest of its result', { sha256: null, size: null }, 'does not contain the SHA-256'],
])('a report with %s matches no file', async (_, result, mentions) => {
  const other = canonicalJson(await signReport({ ...report, result }, key.signer));
  expect(check(other)).toMatchObject({
    isFine: false,
    sentence: expect.stringContaining(mentions) as string,
  });
});

it.each([
  ['text', 'no report'],
  ['a list', '[]'],
  ['another format', JSON.stringify({ ...report, format: 'veil-report-2', signature: null })],
  ['a signature of the wrong length', JSON.stringify({ ...report, signature: { algorithm: 'Ed25519' } })],
  ['no digests', JSON.stringify({ format: REPORT_FORMAT, signature: null })],
])('refuses %s as a report', (_, text) => {
  expect(() => check(text)).toThrow(NoReport);
});
