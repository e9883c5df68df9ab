import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { agreements, compareMasks } from './support/agreement';
import { expect, test } from './support/hosts';
import { readPixels } from './support/pixels';
import { dataPath, readSample } from './support/samples';
import { upload } from './support/upload';

const MIN_IOU = 0.98;
const MAX_SCORE_DIFFERENCE = 0.01;
/** Two JPEG decoders and two runtimes round differently; masks are cut at a probability, so their edge moves a little. */
const EDGE_PX = 3;

/** Street scenes have what the sample photographs lack. */
const STREET = ['000000000471.jpg', '000000000322.jpg'].map((name) => dataPath('coco128/images', name));

const pictures: readonly (readonly [name: string, read: () => Promise<Buffer>])[] = [
  ...[1, 2, 3, 4, 5, 6].map((n) => [`sample ${n}`, async () => readSample(n)] as const),
  ['sample 1 as PNG', () => sharp(readSample(1)).png().toBuffer()],
  ...STREET.flatMap((path, i) =>
    path ? [[`street ${i + 1}`, async () => readFileSync(path)] as const] : [],
  ),
];

test.describe('both hosts, given the same picture', () => {
  for (const [name, read] of pictures) {
    test(`find and hide the same: ${name}`, async ({ sendTo }) => {
      const bytes = await read();
      const server = await upload(sendTo.server, bytes);
      const page = await upload(sendTo.page, bytes);
      const [onServer, inPage] = [await server.metadata(), await page.metadata()];

      expect(inPage.size).toEqual(onServer.size);
      expect(inPage.detections.length).toBe(onServer.detections.length);
      for (const agreement of agreements(onServer.detections, inPage.detections)) {
        expect.soft(agreement.iou).toBeGreaterThanOrEqual(MIN_IOU);
        expect.soft(agreement.scoreDifference).toBeLessThanOrEqual(MAX_SCORE_DIFFERENCE);
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
