import { expect, test } from 'vitest';
import { PARAMETER_NAMES } from '../../catalogue/derive-parameters';
import { queryOf, ROUTE_NAMES } from '../contract/routes';
import { uploadSchema } from '../contract/schemas-upload';
import { namesOf, readQuery, unknownNames } from './query';
import { ignoredParameters } from './unknown-parameters';

const KNOWN = namesOf(uploadSchema);
const ignored = (...names: string[]) => ignoredParameters(names, KNOWN);

/** Parameters of other endpoints, flags of the API, what clients of other servers send, and common words. */
const OTHERS = [
  ...ROUTE_NAMES.flatMap((name) => Object.keys(queryOf(name).properties)),
  ...['save_mask', 'save-mask', 'watermark', 'quality', 'download', 'compress-level', 'mask-scale'],
  ...[
    'start_frame',
    'end_frame',
    'confirm',
    'delete-scope',
    'api',
    'api-endpoint',
    'input',
    'output',
    'anonymise',
  ],
  ...[
    'test',
    'next',
    'ext',
    'how',
    'core',
    'scope',
    'store',
    'scale',
    'source',
    'state',
    'page',
    'name',
    'key',
    'id',
  ],
  ...['version', 'season', 'mode', 'model', 'media', 'meta', 'video', 'radio', 'type', 'user', 'token', '_'],
  ...[
    'fact',
    'pace',
    'slow',
    'blog',
    'form',
    'place',
    'hook',
    'object-tracking',
    'tracking',
    'timestamp',
    'size',
  ],
].filter((name) => !(KNOWN as readonly string[]).includes(name.replaceAll('_', '-')));

test.each([...new Set(OTHERS)])('%s is another word, and no mistyped parameter', (name) => {
  expect(ignored(name)).toEqual([name]);
});

test('each parameter is recognised with one letter left out, doubled or swapped', () => {
  for (const name of PARAMETER_NAMES) {
    for (let at = 1; at < name.length; at += 1) {
      const variants = [
        name.slice(0, at) + name.slice(at + 1),
        name.slice(0, at) + name[at]! + name.slice(at),
        name.slice(0, at - 1) + name[at]! + name[at - 1]! + name.slice(at + 1),
      ];
      for (const variant of variants) {
        // Swapped first letters of short names make other words.
        if ((KNOWN as readonly string[]).includes(variant) || variant[0] !== name[0]) continue;
        expect(() => ignored(variant), `${variant} for ${name}`).toThrow(/did you mean/);
      }
    }
  }
});

test('two mistyped letters are recognised in names of two words', () => {
  expect(() => ignored('licence-plates')).toThrow('`license-plate`');
  expect(() => ignored('head_falback')).toThrow('`head-fallback`');
  expect(() => ignored('HEAD-FALBAK')).toThrow('`head-fallback`');
});

test('a hundred thousand names are read in no time', () => {
  const names = Array.from({ length: 100_000 }, (_, index) => `x${index}=1`).join('&');
  const repeated = 'a=1&'.repeat(100_000);
  const started = performance.now();
  expect(ignored(...unknownNames(uploadSchema, `/?${names}`))).toHaveLength(20);
  expect(unknownNames(uploadSchema, `/?${repeated}`)).toEqual(['a']);
  expect(readQuery(uploadSchema, `/?${repeated}`)).toEqual({});
  expect(performance.now() - started).toBeLessThan(5_000);
});
