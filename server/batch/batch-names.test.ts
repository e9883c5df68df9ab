import { describe, expect, it } from 'vitest';
import { createNamer, isNamedLikeMedia, type OutputNames } from './media-file';
import { formatClock, progressLine, printable } from './terminal-report';

const EVERYTHING = {
  anonymised: true,
  masks: ['binary', 'instance'],
  metadata: true,
  report: true,
  log: true,
  exports: ['coco'],
} as const;
const names = (stem: string, anonymised: string | null): OutputNames => ({
  anonymised,
  masks: { binary: `${stem}_bin_mask.png`, instance: `${stem}_ins_mask.png` },
  metadata: `${stem}.json`,
  report: { json: `${stem}-report.json`, page: `${stem}-report.html` },
  log: { json: `${stem}-redactions.json`, csv: `${stem}-redactions.csv` },
  exports: { coco: `${stem}-coco.json` },
});

describe('results', () => {
  it('are named after the image', () => {
    expect(createNamer(EVERYTHING).name('sub/a.b.jpg', 'jpeg')).toEqual(names('sub/a.b', 'sub/a.b.jpg'));
  });

  it('are named only if they are wanted', () => {
    const namer = createNamer({
      anonymised: false,
      masks: ['instance'],
      metadata: false,
      report: false,
      log: false,
      exports: [],
    });
    expect(namer.name('a.jpg', 'jpeg')).toEqual({
      anonymised: null,
      masks: { instance: 'a_ins_mask.png' },
      metadata: null,
      report: null,
      log: null,
      exports: {},
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
    ['a.MP4', 'mp4', 'a.MP4'],
    ['a.mov', 'mp4', 'a.mov.mp4'],
    ['a.mp4', 'mp4', 'a.mp4'],
    ['a', 'mp4', 'a.mp4'],
  ] as const)(
    'of the file %s with the format %s have the extension of their own format',
    (name, format, result) => {
      expect(createNamer(EVERYTHING).name(name, format)?.anonymised).toBe(result);
    },
  );

  it('of two images that differ in their extension have different names', () => {
    const namer = createNamer(EVERYTHING);
    expect(namer.name('a.jpg', 'jpeg')).toEqual(names('a', 'a.jpg'));
    expect(namer.name('a.png', 'png')).toEqual(names('a.png', 'a.png'));
  });

  it('of videos that differ in their extension have different names', () => {
    const namer = createNamer({ ...EVERYTHING, report: false, log: false, exports: [] });
    expect(['a.mkv', 'a.mov', 'a.mp4'].map((name) => namer.name(name, 'mp4'))).toEqual([
      { anonymised: 'a.mkv.mp4', masks: {}, metadata: 'a.json', report: null, log: null, exports: {} },
      { anonymised: 'a.mov.mp4', masks: {}, metadata: 'a.mov.json', report: null, log: null, exports: {} },
      { anonymised: 'a.mp4', masks: {}, metadata: 'a.mp4.json', report: null, log: null, exports: {} },
    ]);
  });

  it('of the beginning of a video say how long it is, and those of images do not', () => {
    const namer = createNamer(
      { ...EVERYTHING, report: false, log: false, exports: [] },
      { suffix: '_x', preview: 3 },
    );
    expect(namer.name('sub/a.mov', 'mp4')).toEqual({
      anonymised: 'sub/a-preview-3s_x.mp4',
      masks: {},
      metadata: 'sub/a-preview-3s_x.json',
      report: null,
      log: null,
      exports: {},
    });
    expect(namer.name('a.jpg', 'jpeg')?.anonymised).toBe('a_x.jpg');
  });

  it('never have the name of another image’s result', () => {
    const namer = createNamer(EVERYTHING);
    namer.name('a.jpg', 'jpeg');
    expect(namer.name('a_bin_mask.png', 'png')).toBeUndefined();
    expect(namer.name('a.jpg', 'jpeg')).toBeUndefined();
  });
});

it('names with an extension of an image or a video are recognised', () => {
  expect(['a.jpg', 'b/A.PNG', 'a.jpe', 'a.MOV', 'a.avi'].every(isNamedLikeMedia)).toBe(true);
  expect(['a.txt', 'jpg', 'a.jpg.txt', 'a.ts'].some(isNamedLikeMedia)).toBe(false);
});

describe('the progress line', () => {
  const progress = {
    total: 40,
    ended: 10,
    failed: 0,
    framesDone: 0,
    framesTotal: 0,
    converting: 0,
    share: 0.25,
    speed: { perS: 2.5, unit: 'images' },
    leftS: 12,
  } as const;

  it('contains the number of files, the speed and the remaining time', () => {
    expect(progressLine(progress, 80)).toBe('[#####---------------] 10 of 40, 2.5 images/s, 0:12 left');
  });

  it('contains the current frame of a video', () => {
    const inVideo = {
      ...progress,
      framesDone: 30,
      framesTotal: 120,
      speed: { perS: 12.5, unit: 'frames' },
    } as const;
    expect(progressLine(inVideo, 80)).toBe(
      '[#####---------------] 10 of 40, frame 30 of 120, 13 frames/s, 0:12 left',
    );
  });

  it('contains that a video is being converted', () => {
    expect(progressLine({ ...progress, converting: 1 }, 80)).toContain('10 of 40, converting, ');
  });

  it('contains the number of failures only if there are any', () => {
    expect(progressLine({ ...progress, failed: 3 }, 80)).toMatch(/, 3 failed$/);
  });

  it('contains no speed and no time while they are unknown', () => {
    const start = { ...progress, ended: 0, share: 0, speed: undefined, leftS: undefined };
    expect(progressLine(start, 80)).toBe('[--------------------] 0 of 40');
  });

  it('never wraps', () => {
    expect(progressLine(progress, 30)).toHaveLength(29);
    expect(progressLine(progress, 0)).toBe('');
  });

  it.each([
    [0.2, '0:01'],
    [59, '0:59'],
    [60, '1:00'],
    [3599.5, '1:00:00'],
    [12_000, '3:20:00'],
  ])('writes %s seconds as %s', (seconds, text) => {
    expect(formatClock(seconds)).toBe(text);
  });
});

it('control characters and text directions in names are replaced', () => {
  expect(printable('a\x1b[2Jb\nc\r\u202Ed\u009b')).toBe('a?[2Jb?c??d?');
});
