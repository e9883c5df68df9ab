import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { canonicalJson, REPORT_FORMAT, signReport } from '#shared/report/signed-report';
import { system } from '../adapters/system';
import { createReportSigner } from '../adapters/report-keys';
import { temporaryFolder } from '../testing/temporary-folder';
import { parseCommand } from './cli';
import { FlagError } from './flag';
import { exitCodeOf, verifyFiles } from './verify-command';

const RESULT = new TextEncoder().encode('the bytes of a result');
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const pem = (key: typeof publicKey): string => key.export({ format: 'pem', type: 'spki' }).toString();

let paths: Record<'report' | 'file' | 'key', string>;

const write = (path: string, content: string | Uint8Array): string => {
  writeFileSync(path, content);
  return path;
};

beforeEach(async () => {
  const folder = temporaryFolder();
  const digest = { sha256: await system.sha256(RESULT), size: RESULT.byteLength };
  const unsigned = {
    format: REPORT_FORMAT,
    source: { sha256: null, size: null },
    result: digest,
    filename: 'straße.jpg',
  } as const;
  const report = await signReport(unsigned, createReportSigner(privateKey));
  paths = {
    report: write(join(folder, 'report.json'), canonicalJson(report)),
    file: write(join(folder, 'result.jpg'), RESULT),
    key: write(join(folder, 'public.pem'), pem(publicKey)),
  };
});

describe('veil verify', () => {
  it('accepts a report and its file, with the key of the signer', async () => {
    expect(await verifyFiles(paths)).toEqual({
      isFine: true,
      sentence: 'The file and the report match, and neither was modified.',
    });
  });

  it('adds that the signer is unknown if no key is given', async () => {
    const { isFine, sentence } = await verifyFiles({ ...paths, key: undefined });
    expect([isFine, sentence.includes('the signer is unknown')]).toEqual([true, true]);
  });

  it('refuses a log if the report names none', async () => {
    expect(await verifyFiles({ ...paths, log: paths.file })).toEqual({
      isFine: false,
      sentence: 'The report names no log: it was written by an earlier version of Veil.',
    });
  });

  it('refuses a file with one other byte', async () => {
    write(paths.file, RESULT.with(3, 0));
    expect((await verifyFiles(paths)).isFine).toBe(false);
  });

  it('refuses a report with one other byte', async () => {
    const { default: fs } = await import('node:fs');
    write(paths.report, fs.readFileSync(paths.report, 'utf8').replace('straße', 'strase'));
    expect((await verifyFiles(paths)).isFine).toBe(false);
  });

  it('refuses the key of another signer', async () => {
    write(paths.key, pem(generateKeyPairSync('ed25519').publicKey));
    expect((await verifyFiles(paths)).isFine).toBe(false);
  });

  it.each(['report', 'file', 'key'] as const)('does not start without the file of the %s', async (name) => {
    await expect(verifyFiles({ ...paths, [name]: '/nowhere' })).rejects.toThrow(FlagError);
  });

  it.each([
    ['no key', 'a text'],
    ['a damaged key', pem(publicKey).replace(/MCow/, 'AAAA')],
    ['a private key', privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()],
    ['a key of another kind', pem(generateKeyPairSync('x25519').publicKey)],
  ])('does not start with %s as the key', async (_, text) => {
    write(paths.key, text);
    await expect(verifyFiles(paths)).rejects.toThrow('must contain an Ed25519 public key');
  });

  it.each([
    ['text', 'a text'],
    ['nothing', ''],
    ['JSON of another kind', '{}'],
    ['bytes that are not text', new Uint8Array([0xff, 0xfe])],
    ['the file itself', RESULT],
  ])('answers that %s is a modified report or none, as for files that do not match', async (_, content) => {
    write(paths.report, content);
    expect(await verifyFiles(paths)).toEqual({
      isFine: false,
      sentence: expect.stringMatching(/^The report was modified, or it is no report: .*\.$/) as string,
    });
  });

  it.each([
    ['0 if the signer is the one of the key', 0, {}],
    ['3 if no key is given', 3, { key: undefined }],
    ['0 without a key if any signer is accepted', 0, { key: undefined, isAnySignerAccepted: true }],
  ])('ends with exit code %s', async (_, code, given) => {
    const task = { ...paths, isAnySignerAccepted: false, ...given };
    expect(exitCodeOf(await verifyFiles(task), task)).toBe(code);
    write(paths.file, RESULT.with(3, 0));
    expect(exitCodeOf(await verifyFiles(task), task), 'of a modified file').toBe(1);
  });

  it('is a command with two files and an optional key', () => {
    const task = { report: 'r.json', file: 'a.jpg', key: undefined, isAnySignerAccepted: false };
    expect(parseCommand(['verify', 'r.json', 'a.jpg'])).toEqual({ kind: 'verify', task });
    expect(parseCommand(['verify', 'r.json', 'a.jpg', '--key', 'k.pem'])).toEqual({
      kind: 'verify',
      task: { ...task, key: 'k.pem' },
    });
    expect(parseCommand(['verify', 'r.json', 'a.jpg', '--any-signer'])).toEqual({
      kind: 'verify',
      task: { ...task, isAnySignerAccepted: true },
    });
    expect(() => parseCommand(['verify', 'r.json', 'a.jpg', '--key', 'k.pem', '--any-signer'])).toThrow(
      '--key and --any-signer exclude each other.',
    );
    expect(() => parseCommand(['verify', 'r.json'])).toThrow(FlagError);
    expect(() => parseCommand(['verify', 'r.json', 'a.jpg', 'b.jpg'])).toThrow(FlagError);
    expect(() => parseCommand(['verify', 'r.json', 'a.jpg', '--port', '1'])).toThrow(FlagError);
  });
});

describe('--report-key', () => {
  it('reads a private key from its file', () => {
    write(paths.key, privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
    const command = parseCommand(['--report-key', paths.key]);
    expect(command).toMatchObject({ config: { reportKey: { asymmetricKeyType: 'ed25519' } } });
  });

  it.each([
    ['a public key', pem(publicKey)],
    ['a damaged key', 'secret-text'],
    [
      'a key of another kind',
      generateKeyPairSync('ec', { namedCurve: 'P-256' })
        .privateKey.export({ format: 'pem', type: 'pkcs8' })
        .toString(),
    ],
  ])('refuses %s, without its text in the message', (_, text) => {
    write(paths.key, text);
    const start = (): unknown => parseCommand(['--report-key', paths.key]);
    expect(start).toThrow('must be an unencrypted Ed25519 private key');
    expect(start).not.toThrow(text.split('\n')[1] ?? text);
  });
});
