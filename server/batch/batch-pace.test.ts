import { describe, expect, it } from 'vitest';
import type { MediaFile } from './media-file';
import { createPace, type Pace } from './pace';

let nowS = 0;
const image = (path: string): MediaFile => ({ path, kind: 'image', sizeBytes: 5 }) as MediaFile;
const video = (path: string, sizeBytes: number): MediaFile =>
  ({ path, kind: 'video', sizeBytes }) as MediaFile;
const paceOf = (files: readonly MediaFile[], workers = 1): Pace => {
  nowS = 0;
  return createPace(files, workers, () => nowS);
};
const work = (pace: Pace, file: MediaFile, seconds: number): void => {
  pace.started(file);
  nowS += seconds;
  pace.ended(file.path, false);
};

describe('the pace of a run', () => {
  it('is unknown before anything is done', () => {
    expect(paceOf([image('a')]).progress()).toMatchObject({ share: 0, speed: undefined, leftS: undefined });
  });

  it('is the speed of the images so far, times the number of workers', () => {
    const files = ['a', 'b', 'c', 'd', 'e'].map(image);
    const one = paceOf(files);
    work(one, files[0]!, 2);
    expect(one.progress()).toMatchObject({ share: 0.2, speed: { perS: 0.5, unit: 'images' }, leftS: 8 });
    const two = paceOf(files, 2);
    work(two, files[0]!, 2);
    expect(two.progress()).toMatchObject({ speed: { perS: 1 }, leftS: 4 });
  });

  it('counts a video that is being converted by its progress, without frames', () => {
    const [first, second] = [video('a', 1000), video('b', 3000)] as const;
    const pace = paceOf([first, second]);
    pace.started(first);
    pace.progressed(first, { framesDone: 0, framesTotal: 1, converted: 0.5 });
    expect(pace.progress()).toMatchObject({ converting: 1, framesTotal: 0, share: 0.025 });
    pace.progressed(first, { framesDone: 100, framesTotal: 200, converted: 1 });
    expect(pace.progress()).toMatchObject({ converting: 0, framesTotal: 200, share: 0.275 });
  });

  it('is the speed of the frames while a video is processed', () => {
    const [first, second] = [video('a', 1000), video('b', 3000)] as const;
    const pace = paceOf([first, second]);
    pace.started(first);
    nowS = 10;
    pace.progressed(first, { framesDone: 50, framesTotal: 200 });
    expect(pace.progress()).toMatchObject({
      framesDone: 50,
      framesTotal: 200,
      share: 0.125,
      speed: { perS: 5, unit: 'frames' },
      leftS: 30 + 120,
    });
  });

  it('has no remaining time before one file of each remaining kind is done', () => {
    const files = [image('a'), video('b', 1000)] as const;
    const pace = paceOf(files);
    work(pace, files[0], 1);
    expect(pace.progress().leftS).toBeUndefined();
  });

  it('is not raised by files that fail at once', () => {
    const files = ['a', 'b', 'c'].map(image);
    const pace = paceOf(files);
    work(pace, files[0]!, 2);
    pace.ended('b', true);
    expect(pace.progress()).toMatchObject({ ended: 2, failed: 1, leftS: 2 });
  });
});
