import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ReportSigner } from '../ports/system';
import { canonicalJson, REPORT_FORMAT, signReport } from './signed-report';
import { fromHex, toHex } from './byte-text';
import { verifyReport, type IsSignedBy, type Verification } from './verify-report';

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
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const check = (text: string | Uint8Array, file = RESULT, publicKey?: Uint8Array): Verification =>
  verifyReport(typeof text === 'string' ? bytesOf(text) : text, digestOf(file), publicKey, isSignedBy);

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

  it.each(['\n', '\r\n'])('matches where an editor has added one line break at its end: %j', (end) => {
    expect(check(signed + end).isFine).toBe(true);
  });

  it.each([
    ['two line breaks at its end', `${signed}\n\n`],
    ['a space at its end', `${signed} `],
    ['a line break at its start', `\n${signed}`],
    ['a byte order mark', `\ufeff${signed}`],
    ['a zero byte at its end', `${signed}\0`],
    ['another value at its end', `${signed}{}`],
    ['spaces between its members', signed.replaceAll(',', ', ')],
    ['indentation', JSON.stringify(JSON.parse(signed), null, 2)],
    ['members in another order', signed.replace(/^\{("[^{]*?),/, '{').replace(/\}$/, ',$1}')],
    ['a character as an escape sequence', signed.replace('"one"', '"\\u006fne"')],
    ['a number in another form', signed.replace(':0.1,', ':1e-1,')],
    ['upper-case digits of its signature', signed.replace(/"value":"\w+"/, (digits) => digits.toUpperCase())],
    ['a member that is not signed', signed.replace('{', '{"a":1,')],
    ['a member that no report can contain', signed.replace('{', '{"a":"\\ud800",')],
    ['a member that is nested too deeply', signed.replace('{', `{"a":${'['.repeat(1e5)}${']'.repeat(1e5)},`)],
  ])('counts as modified with %s', (_, text) => {
    expect(text).not.toBe(signed);
    expect(check(text)).toEqual({
      isFine: false,
      sentence: expect.stringContaining('was modified') as string,
    });
  });

  it.each(RESULT.split('').map((_, at) => at))('does not match its result if byte %d is changed', (at) => {
    const changed = `${RESULT.slice(0, at)}X${RESULT.slice(at + 1)}`;
    expect(check(signed, changed, key.publicKey)).toMatchObject({ isFine: false });
  });

  it('does not match any file if one bit of it is changed, also where it is no JSON then', () => {
    const bytes = bytesOf(signed);
    const isFine = (at: number, byte: number): boolean => check(bytes.with(at, byte)).isFine;
    const matching = [...bytes.entries()].filter(([at, byte]) =>
      [0, 1, 2, 3, 4, 5, 6, 7].some((bit) => isFine(at, byte ^ (1 << bit))),
    );
    expect(matching).toEqual([]);
  });

  it('does not match any file if it is cut at any byte', () => {
    const bytes = bytesOf(signed);
    const matching = [...bytes.keys()].filter((end) => check(bytes.subarray(0, end)).isFine);
    expect(matching).toEqual([]);
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
  ['nothing', '', 'it is not valid JSON'],
  ['text', 'no report', 'it is not valid JSON'],
  ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d), 'it is not UTF-8 text'],
  ['a list', '[]', 'format'],
  ['another format', JSON.stringify({ ...report, format: 'veil-report-2', signature: null }), 'format'],
  [
    'a signature of the wrong length',
    JSON.stringify({ ...report, signature: { algorithm: 'Ed25519' } }),
    'format',
  ],
  ['no digests', JSON.stringify({ format: REPORT_FORMAT, signature: null }), 'format'],
])('%s as a report does not match, and the sentence states the reason', (_, content, reason) => {
  const { isFine, sentence } = check(content);
  expect([isFine, sentence]).toEqual([false, expect.stringContaining(reason)]);
  expect(sentence).toMatch(/^The report was modified, or it is no report: [^.]*\.$/);
});
