import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseReasons } from '../image-options';

it('the examples of the documentation are lists of reasons', () => {
  const text = readFileSync(new URL('../../../../docs/use/reasons.md', import.meta.url), 'utf8');
  const lists = [...text.matchAll(/^```json\n(\[[^]*?\])\n```$/gm)].map(([, json]) => parseReasons(json!));
  expect(lists.map((list) => list.map(({ code }) => code))).toEqual([
    ['b6', 'b7C', 'b7E', 'b7F'],
    ['third-party', 'secret'],
  ]);
});
