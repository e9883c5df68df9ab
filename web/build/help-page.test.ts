import { expect, test } from 'vitest';
import { GUIDE_DOCUMENTS, renderGuide } from './help-page';

const guide = renderGuide();
const all = (pattern: RegExp): readonly string[] => [...guide.matchAll(pattern)].map(([, one = '']) => one);
const anchors = all(/ id="([^"]*)"/g);

test('each link of the guide leads to one of its headings, or to the web', () => {
  const links = all(/<a href="([^"]*)"/g);
  expect(links.length).toBeGreaterThan(GUIDE_DOCUMENTS.length);
  expect(links.filter((link) => !/^https:/.test(link) && !anchors.includes(link.slice(1)))).toEqual([]);
});

test('no two headings of the guide have one address', () => {
  expect(new Set(anchors).size).toBe(anchors.length);
});

test('each document of the guide is a chapter with a title', () => {
  expect(all(/<h1 id="([^"]*)"/g)).toEqual(GUIDE_DOCUMENTS.map((path) => path.replace(/.*\/(.*)\.md/, '$1')));
});

test('the guide has no scripts, and no styles in its elements, which the policy of the page forbids', () => {
  expect(guide).not.toMatch(/<script|<style| style=/);
});
