import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KEY_MESSAGES } from '../web/app/messages/keys';

const WEB = join(import.meta.dirname, '../web');
const read = (path: string): string => readFileSync(join(WEB, path), 'utf8');

const ARROWS = ['app/boxes/box-geometry.ts'];

/** Where the keys of each group of the help are handled. */
const PLACES: readonly (readonly [groups: readonly number[], files: readonly string[]])[] = [
  [
    [0],
    [
      ...['app/workspace/workspace.tsx', 'app/uncertain/uncertain-button.tsx'],
      ...['app/shell/keys-button.tsx', 'app/review/undoing.tsx'],
    ],
  ],
  [
    [1, 2],
    [
      ...['app/stage/stage-canvas.tsx', 'app/review/use-review-input.ts', 'app/review/tools.ts'],
      ...['app/review/object-layer.tsx', 'app/review/undoing.tsx', ...ARROWS],
    ],
  ],
  [[3], ['app/grid/grid.tsx', 'state/selection.ts']],
  [[4], ['app/stage/divider.tsx']],
  [
    [5],
    [
      ...['app/video/video-stage.tsx', 'app/video/mute-track.tsx', 'app/video/mute-tools.tsx'],
      ...['app/video/draw-box.tsx', 'app/video/track-row.tsx', ...ARROWS],
    ],
  ],
  [[6], ['app/uncertain/uncertain-review.tsx']],
  [[7], ['app/sphere/use-camera.ts']],
];

/** Handlers that pass keys on, or make a control act as those of the browser do. */
const OTHERS = [
  ...['app/sphere/sphere-stage.tsx', 'app/sphere/sphere-draw-box.tsx', 'app/ui/use-keys.ts'],
  ...['app/panel/more-settings.tsx', 'app/panel/text-choice.tsx', 'app/stage/stage-tools.tsx'],
];

/** A key where a handler names it: as a text, or as the name of what the key does. */
const KEY =
  /(?<!join\()'(Arrow(?:Left|Right|Up|Down)|Enter|Escape|Delete|Backspace|Home|End|F\d+|[+\-0?a-z]| )'|(?:^ +|[{,] )(Arrow(?:Left|Right|Up|Down)|Enter|Escape|[a-wz]): |(?:LAST_KEY = |slice\(0, )(9)/gm;

/** As the help names keys. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', '-': '−' },
  ...{ ' ': 'Space', Escape: 'Esc', Delete: 'Del', '9': '1 – 9' },
};
const nameOf = (key: string): string => NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);

const handledIn = (path: string): readonly string[] =>
  [...read(path).matchAll(KEY)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    // Sides of a box.
    .filter((key) => !ARROWS.includes(path) || key.startsWith('Arrow'))
    .map(nameOf);

/** Keys without the modifiers. */
const listedIn = (groups: readonly number[]): readonly string[] =>
  groups
    .flatMap((group) => KEY_MESSAGES.en.groups[group]?.keys ?? [])
    .flatMap(([names]) => names)
    .flatMap((name) =>
      name === 'Shift + arrows' ? [] : name.replace(/^(Ctrl|Shift) \+ (Shift \+ )?| \+ drag$/g, ''),
    )
    .filter((name) => name !== 'Tab');

const sorted = (names: readonly string[]): readonly string[] => [...new Set(names)].sort();

describe('the help lists the keys', () => {
  it.each(PLACES)('that are handled, and no others: groups %j', (groups, files) => {
    expect(sorted(listedIn(groups))).toEqual(sorted(files.flatMap(handledIn)));
  });

  it('of all handlers', () => {
    const known = new Set([...PLACES.flatMap(([, files]) => files), ...OTHERS]);
    const handlers = readdirSync(join(WEB, 'app'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
      .map((path) => `app/${path}`)
      .filter((path) => /\bonKeyDown=|\bkeyHandler\(|\buseKeys\(|\.key ===/.test(read(path)));
    expect(handlers.filter((path) => !known.has(path))).toEqual([]);
  });

  it('in German as in English', () => {
    const shape = ({ groups }: (typeof KEY_MESSAGES)['en']) =>
      groups.map(({ keys }) => keys.map(([names]) => names.length));
    expect(shape(KEY_MESSAGES.de)).toEqual(shape(KEY_MESSAGES.en));
  });
});
