import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Report } from '#shared/api/contract/schemas-report';
import { rampPng } from '#shared/testing/ramp-images';
import { RAMP_MP4 } from '#shared/testing/video-files';
import { parseCommand } from '../cli/cli';
import { verifyFiles } from '../cli/verify-command';
import { createBatchFolder, filesOf, type BatchFolder } from '../testing/batch-folder';

let at: BatchFolder['at'];
let output: string;
let write: BatchFolder['write'];
let run: BatchFolder['run'];

beforeEach(() => {
  ({ at, output, write, run } = createBatchFolder());
});

/** Writes a new pair of keys. @returns paths */
const writeKeys = (name: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    secret: write(`${name}.pem`, privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()),
    key: write(`${name}-public.pem`, publicKey.export({ format: 'pem', type: 'spki' }).toString()),
  };
};

const reportOf = (name: string): Report =>
  JSON.parse(readFileSync(join(output, `${name}-report.json`), 'utf8')) as Report;
const verify = (report: string, file: string, key?: string) =>
  verifyFiles({ report: join(output, report), file: join(output, file), key });
const MATCH = { isFine: true, sentence: 'The file and the report match, and neither was modified.' };

describe('--save-report', () => {
  it('writes a report of each image and video, which veil verify accepts with the key', async () => {
    const { secret, key } = writeKeys('key');
    const input = write('in/a.jpg');
    write('in/sub/b.png', rampPng(20, 10));
    write('in/c.mp4', RAMP_MP4);
    const { isDone, of } = await run([at('in'), '--save-report', '--report-key', secret]);
    expect(isDone).toBe(true);
    const reports = ['a', 'c', 'sub/b'].flatMap((name) => [`${name}-report.html`, `${name}-report.json`]);
    expect(filesOf(output)).toEqual(['a.jpg', 'c.mp4', 'sub/b.png', ...reports].sort());
    expect(await verify('a-report.json', 'a.jpg', key)).toEqual(MATCH);
    expect(await verify('sub/b-report.json', 'sub/b.png', key)).toEqual(MATCH);
    expect(await verify('c-report.json', 'c.mp4', key)).toEqual(MATCH);
    expect((await verify('a-report.json', 'sub/b.png', key)).isFine).toBe(false);
    expect((await verify('a-report.json', 'a.jpg', writeKeys('other').key)).isFine).toBe(false);
    const page = readFileSync(join(output, 'a-report.html'), 'utf8');
    expect(page).toContain(reportOf('a').signature!.value);
    // Files end in any order.
    expect(of('done').find((line) => line.input === input)).toMatchObject({
      report: join(output, 'a-report.json'),
      report_page: join(output, 'a-report.html'),
    });
  });

  it('writes reports without a signature if no key is given', async () => {
    write('in/a.jpg');
    await run([at('in'), '--save-report']);
    expect(reportOf('a')).toMatchObject({ filename: 'a.jpg', signature: null });
  });

  it('changes no other result', { tags: ['slow'] }, async () => {
    write('in/a.jpg');
    const flags = ['--save-mask', 'all', '--save-metadata', '--keep-metadata'];
    await run([at('in'), ...flags]);
    await run([at('in'), ...flags, '--save-report'], { output: at('again') });
    const names = filesOf(output);
    expect(filesOf(at('again'))).toEqual([...names, 'a-report.html', 'a-report.json'].sort());
    for (const name of names) {
      expect(readFileSync(at('again', name)).equals(readFileSync(join(output, name))), name).toBe(true);
    }
  });

  it('reports the edits of --edits with their reviewer', async () => {
    const input = write('in/a.jpg');
    const edits = write('edits.json', JSON.stringify({ method: 'blacken', reviewer: 'Zoë' }));
    await run([input, '--edits', edits, '--save-report']);
    expect(reportOf('a').edits).toMatchObject({ count: 1, applied: [{ reviewer: 'Zoë' }] });
  });

  it('states the reasons and the case of the command line', async () => {
    write('in/a.jpg');
    const codes = JSON.stringify([{ code: 'b6', label: 'Personal privacy' }]);
    const flags = ['--face-reason', 'b6', '--case-number', '2026/17', '--operator', 'Zoë'];
    await run([at('in'), '--save-report', '--reasons', write('codes.json', codes), ...flags]);
    const stated = { reasons: codes, 'face-reason': 'b6', 'case-number': '2026/17', operator: 'Zoë' };
    expect(reportOf('a').parameters).toMatchObject(stated);
  });

  it.each([
    ['[]', '--face-reason'],
    ['[{"code":"b7","label":"x"}]', 'must be one of the codes b7, not "b6"'],
    ['[{"code":"b7"}]', '`reasons[0].label` is missing'],
    ['{"code":"b7"}', 'must be a JSON array'],
    ['nothing', 'must be a JSON array'],
  ])('refuses before the first file the codes %s', async (codes, sentence) => {
    write('in/a.jpg');
    const flags = ['--reasons', write('codes.json', codes), '--face-reason', 'b6'];
    await expect(run([at('in'), ...flags])).rejects.toThrow(sentence);
    expect(() => filesOf(output)).toThrow();
  });

  it('with the method detect writes a report that names no result', async () => {
    write('in/a.jpg');
    write('in/b.mp4', RAMP_MP4);
    await run([at('in'), '--method', 'detect', '--save-report']);
    expect(filesOf(output)).toEqual(
      ['a', 'b'].flatMap((name) => [`${name}-report.html`, `${name}-report.json`]),
    );
    expect([reportOf('a').result, reportOf('b').result]).toEqual([null, null]);
  });

  it('gives reports and metadata of two files different names', async () => {
    write('in/a.jpg');
    write('in/a-report.jpg');
    await run([at('in'), '--save-report', '--save-metadata']);
    expect(filesOf(output).filter((name) => name.endsWith('.json'))).toHaveLength(4);
  });
});

describe('--save-log', () => {
  it('writes a log that veil verify accepts with the report, and refuses after a change of one byte', async () => {
    const { secret, key } = writeKeys('key');
    write('in/a.jpg');
    await run([at('in'), '--save-report', '--save-log', '--report-key', secret]);
    const logs = ['a-redactions.csv', 'a-redactions.json'];
    expect(filesOf(output)).toEqual(['a-report.html', 'a-report.json', 'a.jpg', ...logs].sort());
    const report = join(output, 'a-report.json');
    for (const log of logs.map((name) => join(output, name))) {
      const task = { report, file: join(output, 'a.jpg'), log, key };
      const sentence = 'The file, the log and the report match, and none of them was modified.';
      expect(await verifyFiles(task)).toEqual({ isFine: true, sentence });
      const bytes = readFileSync(log);
      writeFileSync(log, bytes.with(bytes.length - 3, bytes.at(-3)! ^ 1));
      expect(await verifyFiles(task)).toEqual({
        isFine: false,
        sentence: 'The log does not match the report: it was modified, or it belongs to another report.',
      });
    }
  });
});

describe('a second run with --save-report', () => {
  it('processes files again that have no report, or one of another key, and skips the others', async () => {
    const [one, other] = [writeKeys('one').secret, writeKeys('other').secret];
    write('in/a.jpg');
    await run([at('in')]);
    const processed = async (...flags: string[]) => (await run([at('in'), ...flags])).processed;
    expect(await processed('--save-report')).toBe(1);
    expect(await processed('--save-report', '--report-key', one)).toBe(1);
    expect(await processed('--save-report', '--report-key', one)).toBe(0);
    expect(await processed('--save-report', '--report-key', other)).toBe(1);
  });

  it('removes reports that are not wanted any more', async () => {
    write('in/a.jpg');
    await run([at('in'), '--save-report']);
    await run([at('in')]);
    expect(filesOf(output)).toEqual(['a.jpg']);
  });
});

describe('--report-key of a run over files', () => {
  it('is refused before a file is processed if it is not a key', async () => {
    write('in/a.jpg');
    const broken = write('key.pem', '-----BEGIN PRIVATE KEY-----\nMC4CAQ\n-----END PRIVATE KEY-----\n');
    await expect(run([at('in'), '--save-report', '--report-key', broken])).rejects.toThrow(
      /^The content of the file of --report-key must be an unencrypted Ed25519 private key in PEM, [^.]*\.$/,
    );
    expect(() => filesOf(output)).toThrow();
  });

  it('is refused without --save-report on the command line, and ignored in the environment', () => {
    const { secret } = writeKeys('key');
    const args = ['photos', '-o', 'out'];
    expect(() => parseCommand([...args, '--report-key', secret])).toThrow(
      '--report-key signs reports, and none are written: add --save-report.',
    );
    expect(parseCommand(args, { VEIL_REPORT_KEY: secret })).toMatchObject({ kind: 'batch' });
  });
});
