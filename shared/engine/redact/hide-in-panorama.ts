import { boxHeight, boxWidth, moveBox, outerPixels } from '../../domain/boxes';
import { clamp } from '../../domain/clamp';
import type { PolePlace } from '../../domain/detection';
import { signedWordsOf, type Raster, type Size } from '../../domain/raster';
import type { Region } from '../../domain/plan';
import { cutAround, pasteAround } from '../pixels/around';
import { largestStretch } from '../pixels/latitude';
import { renderPart, toView } from '../pixels/pole-view';
import type { Coverage } from './coverage';
import { paint, type Redactor } from './redactors';
import type { SpanPainter } from './spline';

const allOf = ({ width, height }: Size): Coverage => ({
  box: { x1: 0, y1: 0, x2: width, y2: height },
  alpha: new Uint8Array(width * height).fill(255),
});

/**
 * The new colours of an object at a pole: its place in the view of the pole, hidden as a whole.
 *
 * @param box of the coverage, in px of the panorama
 */
const poleColours = (
  raster: Raster,
  { box }: Coverage,
  { region, place, hide }: { region: Region; place: PolePlace; hide: Redactor['redact'] },
): SpanPainter => {
  const view = { pole: place.pole, size: raster };
  const part = outerPixels(place.box);
  const hidden = renderPart(raster, view, part);
  hide(hidden, allOf(hidden), region);
  const colours = signedWordsOf(hidden);
  return (y, from, to, { words, start }) => {
    for (let x = from; x < to; x++) {
      const [u, v] = toView(view, [box.x1 + x + 0.5, box.y1 + y + 0.5]) ?? [part.x1, part.y1];
      const column = clamp(Math.floor(u - part.x1), 0, hidden.width - 1);
      const row = clamp(Math.floor(v - part.y1), 0, hidden.height - 1);
      words[start + x] = colours[row * hidden.width + column] as number;
    }
  };
};

/**
 * Hides a region of a panorama as on the sphere: on both sides of the seam as one, with cells that are wider near a
 * pole, and at the pole itself as the view shows it.
 *
 * @param coverage may reach over the left and right edge
 * @param hide of the region's method
 */
export const hideInPanorama = (
  raster: Raster,
  coverage: Coverage,
  region: Region,
  hide: Redactor['redact'],
): void => {
  const { box, alpha } = coverage;
  if (boxWidth(box) === 0 || boxHeight(box) === 0) return;
  const part = cutAround(raster, box);
  const inPart: Coverage = { box: moveBox(box, -box.x1, -box.y1), alpha };
  const { atPole, box: found } = region.detection;
  if (atPole) paint(part, inPart, poleColours(raster, coverage, { region, place: atPole, hide }));
  else hide(part, inPart, { ...region, stretch: largestStretch(found, raster.height) });
  pasteAround(raster, part, box);
};
