/**
 * `npm run bench:panorama`: how many faces of a made panorama are hidden at each latitude, with and without the views of
 * its poles. Faces of photos are placed upright around the camera, each 16° high, on grey.
 *
 * Options: `--only LATITUDE`.
 */
import { parseArgs } from 'node:util';
import { boxHeight, boxWidth } from '#shared/domain/boxes';
import type { Detection } from '#shared/domain/detection';
import { defaultImageOptions } from '#shared/domain/options';
import { createSessions } from '#shared/engine/inference/sessions';
import { createPyramid } from '#shared/engine/pixels/pyramid';
import { planRedaction } from '#shared/engine/redact/plan-redaction';
import { findAround } from '#shared/engine/search/find-around';
import { findObjects } from '#shared/engine/search/find-objects';
import { splitAtSeam } from '#shared/engine/fusion/seam';
import { coverOf } from '#shared/testing/hidden';
import { panoramaOf, placeOn, type SphereThing } from '#shared/testing/panoramas';
import { pixelAt } from '#shared/testing/rasters';
import { readFaces, type CutOut } from '../../models/eval/video/cut-outs';
import { createInferenceRuntime } from '../../server/adapters/inference';
import { createModelFiles, readManifest } from '../../server/adapters/model-files';
import { system } from '../../server/adapters/system';
import { endWhenOutputCloses } from '../../server/end-when-output-closes';

endWhenOutputCloses();

const MODELS = new URL('../../models/', import.meta.url).pathname;
const WIDTH = 4096;
const SIZE = { width: WIDTH, height: WIDTH / 2 };
const OPTIONS = defaultImageOptions({ classes: ['face'], format: { kind: 'pano', width: WIDTH } });
/** Latitude, and number of faces around the camera that do not overlap there. */
const RINGS = [
  [0, 10],
  [45, 8],
  [60, 6],
  [75, 4],
  [88, 1],
  [-60, 6],
  [-75, 4],
  [-88, 1],
] as const;
/** Half of the height of a face with its surroundings. */
const HALF_ANGLE = 15;
/** Share of a face's box from which it counts as hidden. */
const HIDDEN = 0.9;

const { values: flags } = parseArgs({ options: { only: { type: 'string' } } });

/** A face on the sphere; its cut-out fills the thing's height. */
const faceThing = ({ pixels }: CutOut, longitude: number, latitude: number): SphereThing => {
  const raster = pixels.level(Math.max(0, Math.floor(Math.log2(pixels.height / 350))));
  const shape = raster.width / raster.height;
  return {
    ...{ longitude, latitude, halfAngle: HALF_ANGLE },
    at: (x, y) => {
      const [u, v] = [(x / shape + 1) / 2, (y + 1) / 2];
      if (u < 0 || u >= 1) return [90, 90, 90];
      return pixelAt(raster, Math.floor(u * raster.width), Math.floor(v * raster.height));
    },
  };
};

/** Share of a face's own box, without its surroundings, that is fully hidden. */
const hiddenShare = (cover: Uint8Array, thing: SphereThing, { pixels, box }: CutOut): number => {
  const shape = pixels.width / pixels.height;
  let [all, hidden] = [0, 0];
  cover.forEach((alpha, at) => {
    const place = placeOn(thing, at % WIDTH, Math.floor(at / WIDTH), SIZE);
    if (!place) return;
    const x = ((place[0] / shape + 1) / 2) * pixels.width;
    const y = ((place[1] + 1) / 2) * pixels.height;
    // The middle of the box: its corners are no face.
    const u = (x - box.x1) / boxWidth(box) - 0.5;
    const v = (y - box.y1) / boxHeight(box) - 0.5;
    if (Math.hypot(u, v) > 0.5) return;
    all++;
    if (alpha === 255) hidden++;
  });
  return hidden / all;
};

const coverFor = (detections: readonly Detection[]): Uint8Array => {
  const halves = detections.flatMap((one) => splitAtSeam(one, WIDTH));
  return coverOf(planRedaction(SIZE, halves, new Map(), OPTIONS));
};

const manifest = await readManifest(MODELS);
const sessions = createSessions({
  runtime: createInferenceRuntime(2),
  modelFiles: createModelFiles(MODELS),
  manifest,
  system,
});
const faces = await readFaces();
console.log(
  '| Latitude | Faces | Hidden without views | Hidden with views | Detections | CPU s without | with |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- |');
for (const [latitude, count] of RINGS) {
  if (flags.only !== undefined && Number(flags.only) !== latitude) continue;
  const placed = faces.slice(0, count).map((face, i) => {
    return { face, thing: faceThing(face, (360 * (i + 0.5)) / count, latitude) };
  });
  const panorama = panoramaOf(
    WIDTH,
    placed.map(({ thing }) => thing),
  );
  const measure = async (search: typeof findObjects): Promise<readonly [number, number, number]> => {
    const before = process.cpuUsage();
    const { signal } = new AbortController();
    const found = await search(createPyramid(panorama), OPTIONS, { sessions, manifest }, { signal });
    const { user, system: ofSystem } = process.cpuUsage(before);
    const cover = coverFor(found);
    const hidden = placed.filter(({ face, thing }) => hiddenShare(cover, thing, face) >= HIDDEN);
    return [hidden.length, found.length, (user + ofSystem) / 1e6];
  };
  const without = await measure(findObjects);
  const withViews = await measure(findAround);
  const cells = [
    `${latitude}°`,
    count,
    without[0],
    withViews[0],
    `${without[1]}, ${withViews[1]}`,
    without[2].toFixed(1),
    withViews[2].toFixed(1),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
