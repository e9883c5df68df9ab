import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder';
import { areasOf, readHides } from './camera-areas';
import { parseCommand } from './cli';
import type { CameraAreas } from './config';

const AREA = { topLeftX: 0, topLeftY: 0, width: 9, height: 9 };
const OTHER = { ...AREA, topLeftX: 20 };

const fileOf = (content: unknown): string => {
  const path = join(temporaryFolder(), 'cameras.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const setsOf = (content: object): CameraAreas => readHides(fileOf(content), '--hides') as CameraAreas;
const parse = (content: unknown, ...more: string[]) =>
  parseCommand(['photos', '-o', 'out', '--hides', fileOf(content), ...more]);

describe('areas of cameras', () => {
  const SETS = { door: [AREA], yard: [OTHER] };

  it.each([
    ['of a folder', '/data/door/1.jpg', 'door/1.jpg', [AREA]],
    ['of a folder above', '/data/door/may/1.jpg', 'door/may/1.jpg', [AREA]],
    ['of the input itself', '/data/door/1.jpg', '1.jpg', [AREA]],
    ['of a file that begins with the name', '/data/yard_0001.mp4', 'yard_0001.mp4', [OTHER]],
    ['of both', '/data/door/yard-1.jpg', 'door/yard-1.jpg', [AREA, OTHER]],
  ])('are hidden %s', (_, path, name, expected) => {
    expect(JSON.parse(areasOf(setsOf(SETS), path, name)!)).toEqual(expected);
  });

  it.each(['/data/doors/1.jpg', '/data/yards_1.jpg', '/data/yard2.jpg', '/data/a_door.jpg'])(
    'are not those of %s, which another set must name',
    (path) => {
      expect(areasOf(setsOf(SETS), path, path.slice('/data/'.length))).toBeUndefined();
      const withOthers = setsOf({ ...SETS, '*': [] });
      expect(areasOf(withOthers, path, path.slice('/data/'.length))).toBe('[]');
    },
  );
});

describe('--hides', () => {
  it('takes areas from a file as from the command line', () => {
    for (const command of [
      parse([AREA]),
      parseCommand(['a', '-o', 'b', '--hides', JSON.stringify([AREA])]),
    ]) {
      expect(command).toMatchObject({ config: { options: { hides: [AREA] } } });
    }
  });

  it.each([
    [
      'a set with a crossing polygon',
      {
        a: [],
        door: [
          {
            points: [
              [0, 0],
              [9, 9],
              [9, 0],
              [0, 9],
            ],
          },
        ],
      },
      /^The set "door" of --hides is refused: `hides\[0\]` must be a polygon/,
    ],
    ['a set that is no list', { door: 5 }, /^The set "door" of --hides is refused: `hides` must be/],
    ['a reason without a list', { door: [{ ...AREA, reason: 'b6' }] }, /`hides\[0\].reason` must be absent/],
    ['two sets of one name', '{"door":[],"door":[]}', /^The file of --hides names a camera twice/],
    ['no sets', {}, /names no camera/],
    ['a number', 5, /must contain areas/],
    ['no JSON', '{', /must be JSON/],
  ])('refuses %s by one sentence', (_, content, sentence) => {
    expect(() => parse(content)).toThrow(sentence);
  });

  it('refuses a file that is missing', () => {
    expect(() => parseCommand(['a', '-o', 'b', '--hides', '/none.json'])).toThrow(
      'The file /none.json of --hides cannot be read.',
    );
  });
});
