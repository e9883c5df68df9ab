import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { agreements, compareMasks } from './support/agreement';
import { expect, test } from './support/hosts';
import { readPixels } from './support/pixels';
import { dataPath, readSample, smallSample } from './support/samples';
import { upload } from './support/upload';

/** How far apart the hosts may be. */
interface Bounds {
  readonly minIou: number;
  readonly maxScoreDifference: number;
  /** What is asked for. */
  readonly query?: string;
}

/** The runtimes add up in another order. */
const SAME_PIXELS: Bounds = { minIou: 0.98, maxScoreDifference: 0.01 };
/**
 * Two converters of colour profiles round differently, by one level of 255, and boxes are whole pixels. No score in that
 * photo lies as close to this threshold as they are apart; one does to the usual one.
 */
const WITH_PROFILE: Bounds = { minIou: 0.9, maxScoreDifference: 0.02, query: 'vehicle-threshold=0.5' };
/** Masks are cut at a probability, so that their edge moves a little. */
const EDGE_PX = 3;

type Photo = readonly [name: string, bounds: Bounds, read: () => Promise<Buffer>];

/** Street scenes have what the sample photographs lack, where they are at hand. */
const street = (name: string, bounds: Bounds, ...path: string[]): Photo[] => {
  const file = dataPath(...path);
  return file ? [[name, bounds, async () => readFileSync(file)]] : [];
};

const photos: readonly Photo[] = [
  ['a photograph', SAME_PIXELS, async () => readSample(1)],
  ...[3, 6].map((n): Photo => [`small photograph ${n}`, SAME_PIXELS, () => smallSample(n)]),
  [
    'a photograph as PNG',
    SAME_PIXELS,
    async () =>
      sharp(await smallSample(4))
        .png()
        .toBuffer(),
  ],
  ...street('a car with a plate', SAME_PIXELS, 'plates/images/cars-cc0-v2_Cars369.jpg'),
  ...street('a street with a colour profile', WITH_PROFILE, 'coco128/images/000000000471.jpg'),
];

test.describe('both hosts, given the same picture', () => {
  for (const [name, bounds, read] of photos) {
    test(`find and hide the same: ${name}`, async ({ sendTo }) => {
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
