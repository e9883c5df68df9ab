import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROUTES } from '#shared/api/contract/routes';
import { withServiceUrl, LANGUAGES, WRITTEN_BASE } from '../docs/sections';
import { parseSections } from './markdown-sections';

const markdown = readFileSync(`${import.meta.dirname}/../../shared/api/clients.md`, 'utf8');
const sections = parseSections(markdown);
const codeIn = (language: string): string =>
  sections
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.kind === 'code' && block.language === language ? [block.text] : []))
    .join('\n');

const inlineOf = (text: string) => {
  const block = parseSections(`## T\n\n${text}\n`)[0]?.blocks[0];
  return block?.kind === 'paragraph' ? block.content : undefined;
};

test('a paragraph is split into text, code and links', () => {
  expect(inlineOf('a `b` [c](d) e')).toEqual([
    { kind: 'text', text: 'a ' },
    { kind: 'code', text: 'b' },
    { kind: 'text', text: ' ' },
    { kind: 'link', text: 'c', href: 'd' },
    { kind: 'text', text: ' e' },
  ]);
});

test('entities and tags in code stay as they are written', () => {
  expect(inlineOf('`<b> & &amp;`')).toEqual([{ kind: 'code', text: '<b> & &amp;' }]);
  expect(inlineOf('a & b < c "d"')).toEqual([{ kind: 'text', text: 'a & b < c "d"' }]);
});

test.each(['a <b>c</b>', '<script>alert(1)</script>', '- a list', '![x](y.png)', '[x](javascript:alert(1))'])(
  'Markdown that the page cannot display fails the build: %s',
  (text) => expect(() => inlineOf(text)).toThrow('The page shows no Markdown'),
);

test('a link to the web or to a file of the project keeps its address', () => {
  const hrefs = ['https://example.org/a:b', './README.md', '#webhooks', '../a.md'];
  expect(hrefs.map((href) => inlineOf(`[x](${href})`)?.[0])).toEqual(
    hrefs.map((href) => ({ kind: 'link', text: 'x', href })),
  );
});

test('code stays as it is written, including lines that look like headings', () => {
  expect(
    parseSections('# T\n\nlead\n\n## One\n\na\nb\n\n```sh\n## no heading\n\n  x\n```\n\nc\n\n## Two\n'),
  ).toEqual([
    {
      title: 'One',
      blocks: [
        { kind: 'paragraph', content: [{ kind: 'text', text: 'a b' }] },
        { kind: 'code', language: 'sh', text: '## no heading\n\n  x' },
        { kind: 'paragraph', content: [{ kind: 'text', text: 'c' }] },
      ],
    },
    { title: 'Two', blocks: [] },
  ]);
});

test('every step has code in every language', () => {
  for (const { title, blocks } of sections) {
    const languages = blocks.flatMap((block) => (block.kind === 'code' ? [block.language] : []));
    expect(languages, title).toEqual(Object.keys(LANGUAGES));
  }
});

test('each language contains the address once, and it can be replaced', () => {
  for (const language of Object.keys(LANGUAGES)) {
    expect(codeIn(language).split(WRITTEN_BASE), language).toHaveLength(2);
    expect(withServiceUrl(codeIn(language), 'https://veil.example')).not.toContain('localhost');
  }
});

test('the paths in the examples are paths of the API', () => {
  const known = Object.values(ROUTES).map(({ path }) => path.replace('{id}', 'ID'));
  const paths = codeIn('sh').match(/\$VEIL\/v1[\w/$-]*/g) ?? [];
  expect(paths.length).toBeGreaterThan(6);
  for (const path of paths) expect(known).toContain(path.replace('$VEIL', '').replace('$ID', 'ID'));
});
