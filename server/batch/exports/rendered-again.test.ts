import { describe, expect, it } from 'vitest';
import { OBJECT_CLASSES } from '#shared/catalogue/classes';
import { HIDING_METHODS } from '#shared/catalogue/methods';
import { boxWidth } from '#shared/domain/boxes';
import type { Detection } from '#shared/domain/detection';
import { defaultImageOptions, type ImageOptions } from '#shared/domain/options';
import type { RedactionPlan, Shape } from '#shared/domain/plan';
import type { Raster } from '#shared/domain/raster';
import { planGiven } from '#shared/engine/given/plan-given';
import { givenFor, givenObjects, listGiven } from '#shared/engine/given/read-given';
import { shapeBounds } from '#shared/engine/masks/fill-shape';
import { planRedaction } from '#shared/engine/redact/plan-redaction';
import { redact } from '#shared/engine/redact/redact';
import { reportPlan } from '#shared/engine/redact/report';
import { boxOf } from '#shared/testing/plans';
import { createRaster } from '#shared/testing/rasters';
import { exportedImage } from './exported-frame';
import { EXPORT_FORMATS, EXPORTS, type ExportFormat } from './exports';

const SIZE = { width: 160, height: 120 };
/** Fractions of pixels, an edge of the image, an overlap, corners, and a mask that does not fill its box. */
const DETECTIONS: readonly Detection[] = [
  ...OBJECT_CLASSES.map((objectClass, at) => ({
    objectClass,
    score: 0.5 + at / 100,
    box: boxOf(8.3 + 27 * at, 10.7 + 9 * at, 34.9 + 27 * at, 52.2 + 9 * at),
  })),
  { objectClass: 'face', score: 0.9, box: boxOf(0, 80.5, 21.4, 120) },
  {
    objectClass: 'license-plate',
    score: 0.9,
    box: boxOf(60, 90, 100, 110),
    corners: [
      [60, 94],
      [99, 90],
      [100, 106],
      [61, 110],
    ],
  },
];
const MASK: Shape = { kind: 'runs', box: boxOf(30, 20, 70, 60), runs: [325, 10, 30, 10, 1225] };

const redacted = (plan: RedactionPlan): Raster => {
  const raster = createRaster(SIZE.width, SIZE.height, (x, y) => [
    (x * 37) % 256,
    (y * 91) % 256,
    (x * y) % 256,
  ]);
  redact(raster, plan);
  return raster;
};

const again = (plan: RedactionPlan, format: ExportFormat, options: ImageOptions): RedactionPlan => {
  const writer = EXPORTS[format].create();
  const text = writer.add(exportedImage('a.png', reportPlan(plan, 0), plan)) + [...writer.end()].join('');
  const wanted = { kind: 'image', filename: 'a.png', size: SIZE } as const;
  const [listed] = givenFor(listGiven(new TextEncoder().encode(text)), wanted);
  return planGiven(SIZE, givenObjects(listed!), options);
};

describe.each(EXPORT_FORMATS.filter((format) => EXPORTS[format].isRead))('an export as %s', (format) => {
  it.each(HIDING_METHODS.flatMap((method) => [false, true].map((bbox) => [method, bbox] as const)))(
    'renders the same pixels by %s, whole boxes: %s',
    (method, bbox) => {
      const options = defaultImageOptions({ method, bbox });
      const plan = planRedaction(SIZE, DETECTIONS, new Map([[DETECTIONS[2]!, MASK]]), options);
      const before = redacted(plan);
      const after = redacted(again(plan, format, options));
      expect(Buffer.compare(Buffer.from(after.data), Buffer.from(before.data))).toBe(0);
    },
  );

  it('is rendered as it was with a margin, and a margin of the request comes on top', () => {
    const plan = planRedaction(SIZE, DETECTIONS, new Map(), defaultImageOptions({ margin: 1.5 }));
    expect(redacted(again(plan, format, defaultImageOptions()))).toEqual(redacted(plan));
    const wider = again(plan, format, defaultImageOptions({ margin: 2 }));
    expect(boxWidth(shapeBounds(wider.regions[0]!.shape))).toBeGreaterThan(
      boxWidth(shapeBounds(plan.regions[0]!.shape)),
    );
  });

  it('is hidden by the method of the request where that is another one', () => {
    const plan = planRedaction(SIZE, DETECTIONS, new Map(), defaultImageOptions({ method: 'pixelate' }));
    const { method, regions } = again(plan, format, defaultImageOptions({ method: 'blur' }));
    expect([method, regions[0]?.featherPx]).toEqual(['blur', expect.any(Number)]);
    expect(regions[0]?.featherPx).toBeGreaterThan(0);
  });
});
