import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ApiError } from '#shared/api/contract/errors';
import { GERMAN_BAG_SENTENCES } from '../web/app/messages/bag-sentences';
import { GERMAN_IMAGES, GERMAN_VIDEOS } from '../web/app/messages/de-files';
import { GERMAN_OTHERS, GERMAN_SENTENCES } from '../web/app/messages/de-sentences';
import { createTranslation } from '../web/app/messages/translate';

const ROWS = [...GERMAN_BAG_SENTENCES, ...GERMAN_SENTENCES];
const germanOf = createTranslation(ROWS, '.');

const sourcesIn = (folder: string): readonly string[] =>
  readdirSync(join(import.meta.dirname, '..', folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|^app\/messages/.test(path))
    .map((path) => readFileSync(join(import.meta.dirname, '..', folder, path), 'utf8'));

/** Where a reason or a sentence about a bag begins: in an error, as a constant, or as a result. */
const OF_BAGS =
  /(?:MessageProblem\(|damagedBag\(|UnreadableFile\(|[A-Z] =|depthImages > 0 &&[^?]*\?|noVideo:)\s*(?:'((?:its?|an?|the|this) [^']*|[A-Z][^']*\.)'|`([^`]*(?:\\`[^`]*)*)`)/g;

/** Where a public sentence begins: in an error, as a constant, or in a list of them. */
const OF_FILES =
  /(?:UnreadableFile\(|super\(|ProcessingFailed\(|entence:|[A-Z] =|full:|'read-only':|unreachable:|=>|:)\s*(?:'((?:[^'\\\n]|\\')*\.)'|`((?:[^`\\]|\\.)*\.)`)/g;

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
    .replace('${claim}', '7 × 7 pixels')
    .replace('${IMAGES}', 'JPEG and PNG images are supported')
    .replace('${VIDEOS}', 'MP4 and WebM videos are supported')
    .replace('is ${name}${counted}', 'is an animated GIF with 7 frames')
    .replace(/\$\{[^}]*\}/g, '7')
    .replaceAll('\\`', '`')
    .replaceAll("\\'", "'");

const saidBy = (sources: readonly string[], pattern: RegExp): readonly string[] =>
  sources.flatMap((source) =>
    [...source.matchAll(pattern)].map(([, plain, template]) => filled(plain ?? template ?? '')),
  );

/** Those without a German text. */
const english = (said: readonly string[]): readonly string[] =>
  said.filter((sentence) => germanOf(sentence) === sentence);

describe('in German', () => {
  it('each reason for which a bag or a topic is refused has a text', () => {
    const said = saidBy(sourcesIn('shared/media/mcap'), OF_BAGS);
    expect(said.length).toBeGreaterThan(45);
    // Never in the page.
    expect(english(said.filter((one) => !/@napi-rs|only lz4|has no topic/.test(one)))).toEqual([]);
  });

  const folders = ['domain', 'engine', 'media', 'tasks'].map((name) => `shared/${name}`);
  const said = saidBy([...folders, 'web/adapters', 'web/state'].flatMap(sourcesIn), OF_FILES);

  it('each public sentence about an image, a video or a task has a text', () => {
    expect(said.length).toBeGreaterThan(70);
    // For the log, about packs, of reports, and about a line of a file of detections.
    const others = /^(a |Old |A webhook|The (task|model|bag|topic|decoder rejected) |Read as|7+\.$)/;
    expect(english(said.filter((one) => !others.test(one)))).toEqual([]);
  });

  it('each text has as many facts as the English one', () => {
    const holes = (text: string): number => text.split('{}').length;
    const texts = ROWS.filter((row): row is readonly [string, string] => typeof row[1] === 'string');
    expect(texts.filter(([one, other]) => holes(one) !== holes(other))).toEqual([]);
  });

  it('no text is about a sentence that nobody says', () => {
    const code = ['shared', 'server', 'web'].flatMap(sourcesIn).join('\n').replaceAll('\\`', '`');
    const texts = [...GERMAN_IMAGES, ...GERMAN_VIDEOS, ...GERMAN_OTHERS].map(([one]) => one);
    // Each has a part that is written as it is.
    const isSaid = (one: string): boolean =>
      one.split('{}').some((part) => part.length > 10 && code.includes(part));
    expect(texts.filter((one) => !isSaid(one))).toEqual([]);
  });

  it.each([
    [
      'facts stay as they are',
      new ApiError('photo_with_faces', 2, 3).message,
      'Foto 2 zeigt 3 Gesichter: Wählen Sie Fotos, die nur eine Person zeigen.',
    ],
    [
      'a size is one fact',
      new ApiError('upload_too_large', 2 ** 28).message,
      'Die Datei ist zu groß: Die Grenze ist 256 MiB.',
    ],
    [
      'a reason is translated, too',
      new ApiError('edit_failed', 'The video is encrypted, which is not supported.').message,
      'Die Änderungen wurden nicht angewendet, und das Ergebnis ist unverändert: Das Video ist verschlüsselt; das wird nicht gelesen.',
    ],
    [
      'large numbers are written as in German',
      'The image claims 12,000 × 9,000 pixels, 108,000,000 in all; the limit is 100,000,000.',
      'Das Bild gibt 12.000 × 9.000 Pixel an, zusammen 108.000.000; die Grenze ist 100.000.000.',
    ],
    [
      'the parts of a sentence about a bag stay as they are',
      'The topic "/a b" cannot be anonymised: it has the encoding "x". Leave it out with --drop-topic, or keep it as it is with --keep-topic.',
      'Das Topic "/a b" lässt sich nicht anonymisieren: es hat die Kodierung "x". Lassen Sie es weg, oder behalten Sie es, wie es ist.',
    ],
    ['an unknown sentence stays English', 'Something else happened.', 'Something else happened.'],
  ])('%s', (_rule, sentence, german) => {
    expect(germanOf(sentence)).toBe(german);
  });
});
