import { RAMP_MP4 } from '#shared/testing/video-files';
import { fakeImage } from '../../../server/testing/cluster/fake-images';
import { SHORT_INTERVALS } from '../../../server/testing/cluster/cluster';
import { smallSample } from '../../support/samples';
import type { ChaosPlan } from './run-chaos';
import type { ChaosFile } from './upload';

/** Images for the fake engine. For every tenth one, its client waits. */
const fakeFiles = (count: number): readonly ChaosFile[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `${index}.jpg`,
    contentType: 'image/jpeg',
    bytes: fakeImage(`image ${index}`),
    isAwaited: index % 10 === 9,
  }));

/** A plan without what is different in each run. */
export type ChaosForm = Omit<ChaosPlan, 'seed' | 'program' | 'services' | 'expected'>;

/** For each run of all tests. */
export const SHORT: ChaosForm = {
  files: fakeFiles(40),
  apis: 3,
  workers: 4,
  faults: { apis: 2, workers: 2, redis: 1, postgres: 1, suspendMs: 5_000, readOnlyMs: 1_500 },
  everyMs: 900,
  fakeWorkMs: 300,
  intervals: SHORT_INTERVALS,
  settleMs: 40_000,
};

/** With the intervals of the product. */
export const LONG: ChaosForm = {
  files: fakeFiles(300),
  apis: 3,
  workers: 4,
  faults: { apis: 10, workers: 10, redis: 10, postgres: 5, suspendMs: 60_000, readOnlyMs: 8_000 },
  everyMs: 2_000,
  fakeWorkMs: 500,
  settleMs: 240_000,
};

const REAL_IMAGES = 20;
const SAMPLES = 6;

/** Photographs and one clip, for the models of the product. The images differ by their last bytes. */
export const realForm = async (): Promise<ChaosForm> => {
  const images = Array.from({ length: REAL_IMAGES }, async (_, index): Promise<ChaosFile> => {
    const photo = await smallSample(1 + (index % SAMPLES));
    const bytes = Buffer.concat([photo, Buffer.from(`image ${index}`)]);
    return { name: `${index}.jpg`, contentType: 'image/jpeg', bytes, isAwaited: false };
  });
  const clip = { name: 'clip.mp4', contentType: 'video/mp4', bytes: RAMP_MP4, isAwaited: false };
  return {
    files: [...(await Promise.all(images)), clip],
    apis: 2,
    workers: 2,
    faults: { apis: 2, workers: 2, redis: 2, postgres: 1, suspendMs: 10_000, readOnlyMs: 3_000 },
    everyMs: 5_000,
    settleMs: 400_000,
  };
};
