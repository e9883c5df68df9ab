import { symlinkSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ImageJob, VideoJob } from '#shared/ports/engine';
import { createBatchFolder, filesOf, type BatchFolder } from '../testing/batch-folder';
import { rampPng } from '#shared/testing/ramp-images';

let at: BatchFolder['at'];
let output: string;
let write: BatchFolder['write'];
let run: BatchFolder['run'];

beforeEach(() => {
  ({ at, output, write, run } = createBatchFolder());
});

/** The options of each image, by its width. */
const optionsOf = async (...args: string[]) => {
  const options = new Map<number, ImageJob['options']>();
  const during = async ({ header, options: own }: ImageJob): Promise<void> =>
    void options.set(header.width, own);
  const ran = await run([at('in'), '--folder-settings', ...args], { during });
  return { ...ran, of: (width: number) => options.get(width) };
};

describe('a veil.yaml in a folder', () => {
  it('sets detection settings for its folder and those below, and not next to them', async () => {
    write('in/a.png', rampPng(21, 20));
    write('in/x/b.png', rampPng(22, 20));
    write('in/x/y/c.png', rampPng(23, 20));
    write('in/x/veil.yaml', 'anonymise: text\nface-threshold: 0.3\nmethod: blacken\nquality: thorough\n');
    write('in/x/y/veil.yaml', 'anonymise: [vehicle]\nface-threshold: 0.25 # lower still\n');
    const { isDone, of } = await optionsOf('-a', 'face');
    expect(isDone).toBe(true);
    expect(of(21)).toMatchObject({ classes: ['face'], method: 'blur', qualityPreset: 'balanced' });
    const inside = { method: 'blacken', qualityPreset: 'thorough' };
    expect(of(22)).toMatchObject({ classes: ['face', 'text'], thresholds: { face: 0.3 }, ...inside });
    const below = { classes: ['face', 'vehicle', 'text'], thresholds: { face: 0.25 } };
    expect(of(23)).toMatchObject({ ...below, ...inside });
    expect(filesOf(output)).toEqual(['a.png', 'x/b.png', 'x/y/c.png']);
  });

  it('also applies to a file of the folder that is named, and to videos', async () => {
    write('in/a.mp4', '\0\0\0\x18ftypisom and the rest'.padEnd(200));
    write('in/veil.yaml', 'detect-every: 1\nhead-fallback: true\n');
    const jobs: VideoJob[] = [];
    const video = { frameCount: 1, during: async (job: VideoJob): Promise<void> => void jobs.push(job) };
    await run([at('in/a.mp4'), '--folder-settings', '--detect-every', '3'], { video });
    expect(jobs).toMatchObject([{ detectEvery: 1, options: { headFallback: true } }]);
  });

  it('is an ordinary file without the flag', async () => {
    write('in/a.jpg');
    write('in/veil.yaml', 'face-threshold: 0.3');
    const { of } = await run([at('in')]);
    expect(of('left').map(({ input }) => input)).toEqual([at('in/veil.yaml')]);
  });

  it('that changes makes the files of its folder be processed again', async () => {
    write('in/a.png', rampPng(21, 20));
    await optionsOf();
    write('in/veil.yaml', 'face-threshold: 0.3');
    expect((await optionsOf()).processed).toBe(1);
    expect((await optionsOf()).processed).toBe(0);
  });

  it.each([
    ['face-threshold: 0.6', '"face-threshold" in PATH would hide less than'],
    ['method: blur', '"method" in PATH would hide less than'],
    ['license-plate-method: pixelate', '"license-plate-method" in PATH would hide less than'],
    ['quality: fast', '"quality" in PATH would hide less than'],
    ['detect-every: 4', '"detect-every" in PATH would hide less than'],
    ['plates: usual', '"plates" in PATH would hide less than'],
    ['bbox: false', '"bbox" in PATH would hide less than'],
    ['head-fallback: no', '"head-fallback" in PATH would hide less than'],
    ['method: detect', '"method" in PATH would hide less than'],
    ['face-threshold: much', '"face-threshold" in PATH must be'],
    ['anonymise: cats', '"anonymise" in PATH must be one of'],
    ['ffmpeg: /tmp/evil', 'The settings file PATH has an unknown key "ffmpeg".'],
    ['output: /', 'The settings file PATH has an unknown key "output".'],
    ['packs: x', 'The settings file PATH has an unknown key "packs".'],
    ['ignores: "[]"', 'The settings file PATH has an unknown key "ignores".'],
    [
      'face_threshold: 0.1',
      'The settings file PATH has an unknown key "face_threshold": write "face-threshold".',
    ],
    ['__proto__: {a: 1}', 'The settings file PATH has an unknown key "__proto__".'],
    ['- face', 'The settings file PATH must be a YAML mapping'],
    ['a: &x 1\nb: *x', 'The settings file PATH must be a YAML mapping'],
    ['<<: {method: blacken}', 'The settings file PATH has an unknown key "<<".'],
    ['method: !!js/function "x"', 'The settings file PATH must be a YAML mapping'],
    ['method: blacken\nmethod: blacken', 'The settings file PATH must be a YAML mapping'],
    ['method: blacken\n---\nmethod: blacken', 'The settings file PATH must be a YAML mapping'],
    ['[', 'The settings file PATH must be a YAML mapping'],
    ['['.repeat(16_000), 'The settings file PATH must be a YAML mapping'],
    [`# ${'x'.repeat(16_384)}`, 'The settings file PATH has more than 16384 bytes.'],
  ])('with %.40j is refused, and no file of its folder is processed', async (text, sentence) => {
    write('in/a.jpg');
    write('in/x/b.jpg');
    const path = write('in/x/veil.yaml', text);
    const flags = [
      ...['--method', 'blacken', '--bbox', '--plates', 'thorough', '--head-fallback'],
      ...['--folder-settings', '--detect-every', '3'],
    ];
    const { failed, end } = await run([at('in'), ...flags]);
    expect(failed).toMatchObject([
      { input: at('in/x'), error: expect.stringContaining(sentence.replace('PATH', path)) },
    ]);
    expect(end).toMatchObject({ done: 1, failed: 1 });
    expect(filesOf(output)).toEqual(['a.jpg']);
  });

  it('is refused if it is a link, which may lead anywhere', async () => {
    write('in/a.jpg');
    symlinkSync(write('other.yaml', 'face-threshold: 0.3'), at('in/veil.yaml'));
    const { failed } = await run([at('in'), '--folder-settings']);
    expect(failed).toMatchObject([{ error: `The settings file ${at('in/veil.yaml')} is not a file.` }]);
  });
});
