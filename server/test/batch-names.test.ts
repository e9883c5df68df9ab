import { describe, expect, it } from 'vitest';
import { createNamer, looksLikePicture, type OutputNames } from '../batch/output-names';
import { clock, progressLine } from '../batch/progress-line';
import { printable } from '../batch/terminal-report';

const EVERYTHING = { picture: true, masks: ['binary', 'instance'], metadata: true } as const;
const names = (stem: string, picture: string | null): OutputNames => ({
  picture,
  masks: { binary: `${stem}_bin_mask.png`, instance: `${stem}_ins_mask.png` },
  metadata: `${stem}.json`,
});

describe('results', () => {
  it('are named after the picture', () => {
    expect(createNamer(EVERYTHING).name('sub/a.b.jpg', 'jpeg')).toEqual(names('sub/a.b', 'sub/a.b.jpg'));
  });

  it('are only what is wanted', () => {
    const namer = createNamer({ picture: false, masks: ['instance'], metadata: false });
    expect(namer.name('a.jpg', 'jpeg')).toEqual({
      picture: null,
      masks: { instance: 'a_ins_mask.png' },
      metadata: null,
    });
  });

  it.each([
    ['a.JPG', 'jpeg', 'a.JPG'],
    ['a.jpeg', 'jpeg', 'a.jpeg'],
    ['a.jfif', 'jpeg', 'a.jfif'],
    ['a.heic', 'jpeg', 'a.heic.jpg'],
    ['a.jpg', 'png', 'a.jpg.png'],
    ['a', 'png', 'a.png'],
    ['sub.dir/.png', 'png', 'sub.dir/.png'],
  ] as const)('of %s, which is %s, have an extension that fits', (name, format, picture) => {
    expect(createNamer(EVERYTHING).name(name, format)?.picture).toBe(picture);
  });

  it('of two pictures that differ in their extension have different names', () => {
    const namer = createNamer(EVERYTHING);
    expect(namer.name('a.jpg', 'jpeg')).toEqual(names('a', 'a.jpg'));
    expect(namer.name('a.png', 'png')).toEqual(names('a.png', 'a.png'));
  });

  it('never have the name of another picture’s result', () => {
    const namer = createNamer(EVERYTHING);
    namer.name('a.jpg', 'jpeg');
    expect(namer.name('a_bin_mask.png', 'png')).toBeUndefined();
    expect(namer.name('a.jpg', 'jpeg')).toBeUndefined();
  });
});

it('a picture is told by its extension only where its content says nothing', () => {
  expect(['a.jpg', 'b/A.PNG', 'a.jpe'].every(looksLikePicture)).toBe(true);
  expect(['a.txt', 'jpg', 'a.jpg.txt'].some(looksLikePicture)).toBe(false);
});

describe('the line that says how far a run is', () => {
  const standing = { total: 40, ended: 10, failed: 0, elapsedS: 4 };

  it('says how many, how fast and how long', () => {
    expect(progressLine(standing, 80)).toBe('[#####---------------] 10 of 40, 2.5 pictures/s, 0:12 left');
  });

  it('names failures only where there are any', () => {
    expect(progressLine({ ...standing, failed: 3 }, 80)).toMatch(/, 3 failed$/);
  });

  it('promises nothing before the first picture', () => {
    expect(progressLine({ ...standing, ended: 0, elapsedS: 9 }, 80)).toBe('[--------------------] 0 of 40');
  });

  it('never wraps', () => {
    expect(progressLine(standing, 30)).toHaveLength(29);
    expect(progressLine(standing, 0)).toBe('');
  });

  it.each([
    [0.2, '0:01'],
    [59, '0:59'],
    [60, '1:00'],
    [3599.5, '1:00:00'],
    [12_000, '3:20:00'],
  ])('writes %s seconds as %s', (seconds, text) => {
    expect(clock(seconds)).toBe(text);
  });
});

it('a hostile name moves no cursor, breaks no line and turns no text round', () => {
  expect(printable('a\x1b[2Jb\nc\r\u202Ed\u009b')).toBe('a?[2Jb?c??d?');
});
