/**
 * `npm run eval:attack-image`: draws `docs/hidden-faces.jpg`, the faces of a sample photo as they
 * are, averaged as before decision 49, and hidden by today's methods.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { type Box, boxHeight, boxWidth } from '#shared/domain/boxes';
import type { Detection } from '#shared/domain/detection';
import { LIMITS } from '#shared/domain/limits';
import { defaultImageOptions } from '#shared/domain/options';
import { RGBA, type Raster } from '#shared/domain/raster';
import { readImageHeader } from '#shared/engine/formats/read-header';
import { averageCells } from '#shared/engine/redact/cells';
import { rasteriseRegion } from '#shared/engine/redact/coverage';
import { planRedaction } from '#shared/engine/redact/plan-redaction';
import { redact } from '#shared/engine/redact/redact';
import { paint } from '#shared/engine/redact/redactors';
import { smoothCells } from '#shared/engine/redact/spline';
import { imageCodec } from '../../../server/adapters/image-codec';
import { endWhenOutputCloses } from '../../../server/end-when-output-closes';
import { openEngine } from '../open-engine';
import { planImage } from '../subjects/plan-image';

endWhenOutputCloses();

const SAMPLE = createRequire(import.meta.url).resolve('@vladmandic/face-api/demo/sample3.jpg');
const TARGET = new URL('../../../docs/hidden-faces.jpg', import.meta.url).pathname;
/** Width of each of the four views, px. */
const VIEW_PX = 300;
/** Sides of the averaged cells before, as a share of a face's longer side. */
const AVERAGED_SHARE = 0.35;

const copyOf = ({ width, height, data }: Raster): Raster => ({ width, height, data: Uint8Array.from(data) });

const planFor = (raster: Raster, faces: readonly Detection[], method: 'blur' | 'pixelate') =>
  planRedaction(raster, faces, new Map(), defaultImageOptions({ method, classes: ['face'] }));

const hidden = (raster: Raster, faces: readonly Detection[], method: 'blur' | 'pixelate'): Raster => {
  const copy = copyOf(raster);
  redact(copy, planFor(raster, faces, method));
  return copy;
};

const averaged = (raster: Raster, faces: readonly Detection[]): Raster => {
  const copy = copyOf(raster);
  const plan = planFor(raster, faces, 'blur');
  for (const region of plan.regions) {
    const coverage = rasteriseRegion(region, plan);
    const { box } = coverage;
    const grid = averageCells(copy, box, AVERAGED_SHARE * region.cellPx);
    paint(copy, coverage, smoothCells(grid, boxWidth(box), boxHeight(box)));
  }
  return copy;
};

/** The part of the photo with all faces. */
const around = (faces: readonly Detection[], { width, height }: Raster): Box => {
  const margin = 0.4 * Math.max(...faces.map(({ box }) => boxHeight(box)));
  const edge = (sides: readonly number[], by: number, size: number): number =>
    Math.round(Math.min(size, Math.max(0, (by < 0 ? Math.min(...sides) : Math.max(...sides)) + by)));
  return {
    x1: edge(
      faces.map(({ box }) => box.x1),
      -margin,
      width,
    ),
    y1: edge(
      faces.map(({ box }) => box.y1),
      -margin,
      height,
    ),
    x2: edge(
      faces.map(({ box }) => box.x2),
      margin,
      width,
    ),
    y2: edge(
      faces.map(({ box }) => box.y2),
      margin,
      height,
    ),
  };
};

const main = async (): Promise<void> => {
  const bytes = await readFile(SAMPLE);
  const raster = await imageCodec.decode(bytes, await readImageHeader(bytes, LIMITS));
  const options = defaultImageOptions({ method: 'detect', classes: ['face'] });
  const { regions } = await planImage(await openEngine(), bytes, options);
  const faces = regions.map(({ detection }) => detection);
  const part = around(faces, raster);
  const height = Math.round((VIEW_PX * boxHeight(part)) / boxWidth(part));
  const views = [
    raster,
    averaged(raster, faces),
    hidden(raster, faces, 'blur'),
    hidden(raster, faces, 'pixelate'),
  ];
  const tiles = await Promise.all(
    views.map((view) =>
      sharp(view.data, { raw: { width: view.width, height: view.height, channels: RGBA } })
        .extract({ left: part.x1, top: part.y1, width: boxWidth(part), height: boxHeight(part) })
        .resize(VIEW_PX, height)
        .png()
        .toBuffer(),
    ),
  );
  await sharp({ create: { width: VIEW_PX * views.length, height, channels: 3, background: 'white' } })
    .composite(tiles.map((input, i) => ({ input, left: i * VIEW_PX, top: 0 })))
    .jpeg({ quality: 75 })
    .toFile(TARGET);
};

await main();
