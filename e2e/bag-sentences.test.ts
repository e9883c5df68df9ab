import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { germanOf } from '../web/app/messages/bag-sentences';

const FOLDER = join(import.meta.dirname, '../shared/media/mcap');

const sources = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => readFileSync(join(FOLDER, path), 'utf8'));

/** Where a reason or a sentence begins: in an error, as a constant, or as a result. */
const SAID =
  /(?:MessageProblem\(|damagedBag\(|UnreadableFile\(|[A-Z] =|depthImages > 0 &&[^?]*\?|noVideo:)\s*(?:'((?:its?|an?|the|this) [^']*|[A-Z][^']*\.)'|`([^`]*(?:\\`[^`]*)*)`)/g;

/** A sentence as an error may say it. */
const filled = (said: string): string =>
  said
    .replace('${what}.', 'a chunk cannot be decompressed.')
    .replace('claims a ${what}', 'claims a chunk')
    .replace('${known}', 'lz4 and zstd are')
    .replace(/: \$\{reason\}/, ': an image cannot be decoded')
    .replace(/\$\{JSON\.stringify\([^)]*\)\}/g, '"/a"')
    .replace(/\$\{(message|description)\}/g, '"/a"')
    .replace(/\$\{bag\[2\]\}/, 'a ROS 1 bag')
    .replace(/\$\{[^}]*\}/g, '7')
    .replaceAll('\\`', '`');

it('each reason for which a bag or a topic is refused has a German text', () => {
  const said = sources.flatMap((source) =>
    [...source.matchAll(SAID)].map(([, plain, template]) => filled(plain ?? template ?? '')),
  );
  expect(said.length).toBeGreaterThan(45);
  // Never in the page.
  const own = said.filter((sentence) => !/@napi-rs|only lz4|has no topic/.test(sentence));
  expect(own.filter((sentence) => germanOf(sentence) === sentence)).toEqual([]);
});

it('the parts of a sentence that vary stay as they are', () => {
  expect(
    germanOf(
      'The topic "/a b" cannot be anonymised: it has the encoding "x". Leave it out with --drop-topic, or keep it as it is with --keep-topic.',
    ),
  ).toBe(
    'Das Topic "/a b" lässt sich nicht anonymisieren: es hat die Kodierung "x". Lassen Sie es weg, oder behalten Sie es, wie es ist.',
  );
});
