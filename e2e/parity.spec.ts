import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { agreements, compareMasks } from './support/agreement';
import { expect, test } from './support/hosts';
import { readPixels } from './support/pixels';
import { dataPath, readSample, smallSample } from './support/samples';
import { upload } from './support/upload';

/** Allowed differences between the hosts. */
interface Bounds {
  readonly minIou: number;
  readonly maxScoreDifference: number;
  /** Options of the request. */
  readonly query?: string;
}

/** Runtimes sum in a different order. */
const SAME_PIXELS: Bounds = { minIou: 0.98, maxScoreDifference: 0.01 };
/**
 * The hosts convert colour profiles with different rounding, by one level of 255, and boxes are whole pixels. In that
 * photo no score is near this threshold, but one is near the default threshold.
 */
const WITH_PROFILE: Bounds = { minIou: 0.9, maxScoreDifference: 0.02, query: 'vehicle-threshold=0.5' };
/** Masks are cut at a probability, so their edges differ slightly. */
const EDGE_PX = 3;

const [WITH_FACES, WITH_PLATE] = ['small photograph 3', 'a car with a plate'];

type Photo = readonly [name: string, bounds: Bounds, read: () => Promise<Buffer>];

/** Street scenes have object types that the sample photos lack. They are not on every machine. */
const street = (name: string, bounds: Bounds, ...path: string[]): Photo[] => {
  const file = dataPath(...path);
  return file ? [[name, bounds, async () => readFileSync(file)]] : [];
};

const photos: readonly Photo[] = [
  ['a large photograph', SAME_PIXELS, async () => readSample(1)],
  ...[3, 6].map((n): Photo => [`small photograph ${n}`, SAME_PIXELS, () => smallSample(n)]),
  [
    'a photograph as PNG',
    SAME_PIXELS,
    async () =>
      sharp(await smallSample(4))
        .png()
        .toBuffer(),
  ],
  ...street(WITH_PLATE, SAME_PIXELS, 'plates/images/cars-cc0-v2_Cars369.jpg'),
  ...street('a street with a colour profile', WITH_PROFILE, 'coco128/images/000000000471.jpg'),
];

/**
 * With a plate, if there is such a photo; the others differ in size, file format or profile. `main-job.spec.ts` compares
 * the results of a photo with faces alone.
 */
const inShortRun = photos.some(([name]) => name === WITH_PLATE) ? WITH_PLATE : WITH_FACES;

test.describe('both hosts', () => {
  for (const [name, bounds, read] of photos) {
    const tag = name === inShortRun ? [] : '@slow';
    test(`detect and hide the same objects: ${name}`, { tag }, async ({ sendTo }) => {
      const bytes = await read();
      const server = await upload(sendTo.server, bytes, bounds.query);
      const page = await upload(sendTo.page, bytes, bounds.query);
      const [onServer, inPage] = [await server.metadata(), await page.metadata()];

      expect(inPage.size).toEqual(onServer.size);
      expect(inPage.detections.length).toBe(onServer.detections.length);
      for (const agreement of agreements(onServer.detections, inPage.detections)) {
        expect.soft(agreement.iou).toBeGreaterThanOrEqual(bounds.minIou);
        expect.soft(agreement.scoreDifference).toBeLessThanOrEqual(bounds.maxScoreDifference);
      }
      const masks = [
        await readPixels(await server.mask('binary')),
        await readPixels(await page.mask('binary')),
      ];
      const difference = compareMasks(masks[0]!, masks[1]!, EDGE_PX);
      expect(difference.awayFromEdges).toBe(0);
    });
  }
});
