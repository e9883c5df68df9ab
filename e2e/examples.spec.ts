import { createHmac } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { parseSections } from '../web/build/markdown-sections';
import { withServiceUrl, type Language } from '../web/docs/sections';
import { runProgram } from './clients/programs';
import { PYTHON } from './clients/python';
import { expect } from './support/hosts';
import { test } from './support/own-server';
import { meanDifference, readPixels } from './support/pixels';
import { TINY_PX, tinySample } from './support/samples';

const MARKDOWN = join(import.meta.dirname, '../shared/api/clients.md');
/** Its shell commands call a receiver that does not exist. The tests below run its functions. */
const WEBHOOKS = 'Webhooks';
/** Mean difference between an image and its result if faces are hidden; compression alone makes less. */
const HIDDEN = 2;

/** Secret of a webhook, and a signed call. */
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const signedCall = () => {
  const body = '{"type":"x"}';
  const [id, timestamp] = ['msg_1', String(Math.floor(Date.now() / 1000))];
  const hmac = createHmac('sha256', Buffer.alloc(32, 7)).update(`${id}.${timestamp}.${body}`);
  const signature = `v1,b2xk v1,${hmac.digest('base64')}`;
  return {
    body,
    headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
  };
};

interface Runner {
  readonly file: string;
  readonly command: string;
  readonly missing?: (() => string | undefined) | undefined;
  /**
   * Code that prints the result of the example's check for a signed call, for another body, and for an old timestamp.
   */
  readonly check: (secret: string, headers: string, body: string) => string;
}

const RUNNERS: Readonly<Record<Language, Runner>> = {
  // The shell example has no check, so this only shows that the script reached its end.
  sh: { file: 'example.sh', command: 'sh', check: () => 'echo True False False' },
  python: {
    file: 'example.py',
    command: 'python3',
    missing: PYTHON.missing,
    check: (secret, headers, body) => `
headers = ${headers}
given = (is_genuine("${secret}", headers, b'${body}'), is_genuine("${secret}", headers, b"{}"))
print(*given, is_genuine("${secret}", headers | {"webhook-timestamp": "1"}, b'${body}'))`,
  },
  js: {
    file: 'example.mjs',
    command: process.execPath,
    check: (secret, headers, body) => `
const headers = ${headers};
const given = [isGenuine('${secret}', headers, '${body}'), isGenuine('${secret}', headers, '{}')];
given.push(isGenuine('${secret}', { ...headers, 'webhook-timestamp': '1' }, '${body}'));
console.log(given.map((yes) => (yes ? 'True' : 'False')).join(' '));`,
  },
};

const scriptOf = (language: Language): string =>
  parseSections(readFileSync(MARKDOWN, 'utf8'))
    .filter(({ title }) => language !== 'sh' || title !== WEBHOOKS)
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.kind === 'code' && block.language === language ? [block.text] : []))
    .join('\n\n');

for (const [language, { file, command, missing, check }] of Object.entries(RUNNERS)) {
  test(`the ${language} examples run as one script, and accept only signed calls`, async ({
    origin,
  }, info) => {
    const reason = missing?.();
    test.skip(reason !== undefined, reason);
    const folder = info.outputPath('run');
    mkdirSync(folder, { recursive: true });
    const photo = await tinySample(2);
    writeFileSync(join(folder, 'street.jpg'), photo);
    const { headers, body } = signedCall();
    const script = `${withServiceUrl(scriptOf(language as Language), origin)}\n${check(SECRET, JSON.stringify(headers), body)}\n`;
    writeFileSync(join(folder, file), script);
    const printed = await runProgram(command, command === 'sh' ? ['-eu', file] : [file], { cwd: folder });
    expect(printed).toMatch(/True False False\n$/);

    const original = await readPixels(photo);
    for (const image of ['anonymised.jpg', 'queued.jpg']) {
      const result = await readPixels(readFileSync(join(folder, image)));
      expect(result, image).toMatchObject({ width: TINY_PX, height: original.height });
      expect(
        meanDifference(original, result, () => true),
        image,
      ).toBeGreaterThan(HIDDEN);
    }
    const mask = await sharp(join(folder, 'binary-mask.png')).metadata();
    expect([mask.format, mask.width]).toEqual(['png', TINY_PX]);
    const half = await sharp(join(folder, 'instance-mask.png')).metadata();
    expect([half.format, half.width]).toEqual(['png', TINY_PX / 2]);
    const tasks = (await (await fetch(`${origin}/v1/task/list`)).json()) as { status: string }[];
    expect(tasks.filter(({ status }) => status !== 'deleted')).toEqual([]);
  });
}
