import { expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import { defaultImageOptions } from '#shared/domain/options';
import { RGBA, type Raster } from '#shared/domain/raster';
import { drawText, TEXT_HEIGHT, textWidth } from '#shared/engine/redact/debug-overlay';
import { readImageHeader } from '#shared/engine/formats/read-header';
import { createRaster } from '#shared/testing/rasters';
import { imageCodec } from '../../../server/adapters/image-codec';
import { openEngine } from '../open-engine';

type Rgb = readonly [number, number, number];
const PAGE: Rgb = [236, 234, 226];
const SCREEN: Rgb = [34, 38, 46];
const INK: Rgb = [70, 72, 80];
const LIGHT: Rgb = [214, 216, 220];

/** A line of the project's own bitmap font, because a test must not depend on the fonts of a machine. */
interface Line {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** Size of a dot of the font, in px. */
  readonly scale: number;
  readonly isUpright?: boolean;
}
const LINES: readonly Line[] = [
  { text: 'the patient 4711', x: 40, y: 40, scale: 2 },
  { text: 'has to pay 98.50', x: 40, y: 110, scale: 3 },
  { text: 'in the office 23', x: 30, y: 200, scale: 4 },
  { text: 'no open seat in 19', x: 520, y: 60, scale: 2 },
  { text: 'phone 555-0199', x: 520, y: 150, scale: 4 },
  { text: 'the receipt 2035', x: 860, y: 260, scale: 3, isUpright: true },
];
const [WIDTH, HEIGHT] = [960, 640];

/** Pixels of the lines, on a page on the left and on a dark screen on the right. */
const draw = (): { readonly raster: Raster; readonly ink: readonly number[] } => {
  const raster = createRaster(WIDTH, HEIGHT, (x) => (x < WIDTH / 2 ? PAGE : SCREEN));
  const ink: number[] = [];
  for (const { text, x, y, scale, isUpright = false } of LINES) {
    drawText(text, scale, (dx, dy) => {
      const [across, down] = isUpright ? [x + TEXT_HEIGHT * scale - dy, y + dx] : [x + dx, y + dy];
      ink.push(down * WIDTH + across);
      raster.data.set(across < WIDTH / 2 ? INK : LIGHT, RGBA * (down * WIDTH + across));
    });
  }
  return { raster, ink };
};

it('each pixel of level and upright lines is black if text is blackened, and most of the image is unchanged', async () => {
  const { raster, ink } = draw();
  const engine = await openEngine();
  const encoding = { format: 'png', compressLevel: 1 } as const;
  const bytes = await imageCodec.encodePng({ ...raster, channels: RGBA }, 1);
  const { anonymised, report } = await engine.anonymiseImage(
    {
      bytes,
      options: defaultImageOptions({ method: 'blacken', classes: ['text'] }),
      header: await readImageHeader(bytes, LIMITS),
      encoding,
      masks: [],
    },
    () => undefined,
    new AbortController().signal,
  );
  const hidden = await imageCodec.decode(anonymised!, await readImageHeader(anonymised!, LIMITS));
  const isBlack = (at: number): boolean =>
    hidden.data.subarray(RGBA * at, RGBA * at + 3).every((value) => value === 0);
  expect(ink.filter((at) => !isBlack(at))).toEqual([]);
  const blackened = Array.from({ length: WIDTH * HEIGHT }, (_, at) => at).filter(isBlack).length;
  const around = LINES.reduce((sum, { text, scale }) => sum + textWidth(text) * TEXT_HEIGHT * scale ** 2, 0);
  expect(blackened).toBeLessThan(4 * around);
  expect(report.detections.every(({ objectClass }) => objectClass === 'text')).toBe(true);
});
