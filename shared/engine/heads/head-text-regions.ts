import type { Box } from '../../domain/boxes';
import type { Head, DetectionHead, RawDetection } from './head';
import type { Tensor } from '../../ports/inference';
import { textPlace } from './text-quadrilateral';

/** Probability from which a pixel belongs to text (Liao et al. 2020, arXiv:1911.08947). */
const TEXT_PROBABILITY = 0.3;
/** Minimum number of network px of a region: smaller ones are noise. */
const MIN_PIXELS = 12;
/** The network is trained on shrunken text kernels: a region is grown on each side by area × ratio ÷ perimeter. */
const UNCLIP_RATIO = 2;
/** Added to that, in heights: the outer strokes of the first and last character must not stick out. */
const EDGE_HEIGHTS = 0.12;

/**
 * Collects the connected component that contains `seed`, and clears its pixels in `open`.
 *
 * @param pixels receives the indices of its pixels
 * @returns their number
 */
const flood = (open: Uint8Array, width: number, seed: number, pixels: Int32Array): number => {
  let count = 0;
  const visit = (at: number): void => {
    if (open[at] === 0) return;
    open[at] = 0;
    pixels[count++] = at;
  };
  visit(seed);
  for (let next = 0; next < count; next++) {
    const at = pixels[next] as number;
    const x = at % width;
    if (x > 0) visit(at - 1);
    if (x < width - 1) visit(at + 1);
    if (at >= width) visit(at - width);
    if (at < open.length - width) visit(at + width);
  }
  return count;
};

/** The box of a proposal for a plate. */
const toPlateBox = (pixels: Int32Array, width: number): Box<'network'> => {
  let [left, top, right, bottom] = [width, Number.POSITIVE_INFINITY, 0, 0];
  for (const at of pixels) {
    const x = at % width;
    const y = (at - x) / width;
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y + 1);
  }
  const [across, down] = [right - left, bottom - top];
  const margin = (pixels.length * UNCLIP_RATIO) / (2 * (across + down)) + EDGE_HEIGHTS * down;
  return { x1: left - margin, y1: top - margin, x2: right + margin, y2: bottom + margin };
};

/**
 * Decodes a differentiable-binarisation network: connected components of its probability map, grown to the full text.
 *
 * Output: `[1, 1, netHeight, netWidth]`, 0..1. Each region is a proposal for a plate with a level box, or text with the
 * corners of a turned rectangle, or both, by the wanted classes. The score is the mean probability of the region; for
 * thick regions of text, that of the rectangle.
 */
const decodeTextRegions: DetectionHead = (outputs, net, minimum) => {
  const map = (outputs[0] as Tensor).data;
  const open = new Uint8Array(map.length);
  for (let i = 0; i < map.length; i++) open[i] = (map[i] as number) >= TEXT_PROBABILITY ? 1 : 0;
  const all = new Int32Array(map.length);
  const found: RawDetection[] = [];
  for (let at = open.indexOf(1); at >= 0; at = open.indexOf(1, at + 1)) {
    const pixels = all.subarray(0, flood(open, net.width, at, all));
    if (pixels.length < MIN_PIXELS) continue;
    const score = pixels.reduce((sum, pixel) => sum + (map[pixel] as number), 0) / pixels.length;
    if (score >= (minimum['license-plate'] ?? Number.POSITIVE_INFINITY)) {
      found.push({ objectClass: 'license-plate', score, box: toPlateBox(pixels, net.width) });
    }
    if (minimum.text === undefined || score < minimum.text) continue;
    const { fill, ...place } = textPlace(pixels, net.width);
    if (score * fill >= minimum.text) found.push({ objectClass: 'text', score: score * fill, ...place });
  }
  return found;
};

export const textRegions: Head = { role: 'text-detector', decode: decodeTextRegions };
