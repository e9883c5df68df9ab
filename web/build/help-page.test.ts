import { describe, expect, test } from 'vitest';
import { CHAPTER_IDS, readChapter, renderGuide } from './help-page';

describe.each(['en', 'de'] as const)('the guide in %s', (language) => {
  const guide = renderGuide(language);
  const all = (pattern: RegExp): readonly string[] => [...guide.matchAll(pattern)].map(([, one = '']) => one);
  const anchors = all(/ id="([^"]*)"/g);

  test('has links only to its own headings, and to the web', () => {
    const links = all(/<a href="([^"]*)"/g);
    expect(links.length).toBeGreaterThan(CHAPTER_IDS.length);
    expect(links.filter((link) => !/^https:/.test(link) && !anchors.includes(link.slice(1)))).toEqual([]);
  });

  test('has no two headings of one address', () => {
    expect(new Set(anchors).size).toBe(anchors.length);
  });

  test('has a chapter with a title for each document', () => {
    expect(all(/<h1 id="([^"]*)"/g)).toEqual(CHAPTER_IDS);
  });

  test('has no scripts, and no styles in its elements, which the policy of the page forbids', () => {
    expect(guide).not.toMatch(/<script|<style| style=/);
  });

  test('loads images only when they are near the screen, and reserves their place', () => {
    expect(all(/<img ([^>]*)>/g).length).toBeGreaterThan(1);
    expect(
      all(/<img ([^>]*)>/g).filter((one) => !/loading="lazy" width="\d+" height="\d+"/.test(one)),
    ).toEqual([]);
  });
});

/** What both languages share: the kinds of blocks in their order, and all figures with a decimal fraction. */
const shapeOf = (text: string) => ({
  blocks: text.split('\n').flatMap((line) => /^(#+|- |\||!\[)/.exec(line)?.[0] ?? []),
  bold: text.match(/\*\*/g)?.length,
  figures: text
    .replaceAll(/\b0,(\d)/g, '.$1')
    .replaceAll(/(\d),(\d)/g, '$1.$2')
    .match(/\d*\.\d+/g)
    ?.map(Number),
});

test.each(CHAPTER_IDS)('the chapter %s has the same parts and figures in both languages', (id) => {
  expect(shapeOf(readChapter(id, 'de'))).toEqual(shapeOf(readChapter(id, 'en')));
});
