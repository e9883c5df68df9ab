import type { Head } from './head';
import type { Tensor } from '../../ports/inference';
import type { DetectionHead, RawDetection } from './detection-head';

/** Probability from which a pixel belongs to text (Liao et al. 2020, arXiv:1911.08947). */
const TEXT_PROBABILITY = 0.3;
/** Minimum number of network px of a region: smaller ones are noise. */
const MIN_PIXELS = 12;
/** The network is trained on shrunken text kernels: a region is grown on each side by area × ratio ÷ perimeter. */
const UNCLIP_RATIO = 2;
/** Added to that, in heights: the outer strokes of the first and last character must not stick out. */
const EDGE_HEIGHTS = 0.12;

interface Region {
  left: number;
  top: number;
  right: number;
  bottom: number;
  pixels: number;
  sum: number;
}

/** Collects the connected component that contains `seed`, and clears its pixels in `open`. */
const flood = (
  map: Float32Array,
  open: Uint8Array,
  width: number,
  seed: number,
  stack: Int32Array,
): Region => {
  const height = map.length / width;
  const region: Region = { left: width, top: height, right: 0, bottom: 0, pixels: 0, sum: 0 };
  let depth = 0;
  const visit = (at: number): void => {
    if (open[at] === 0) return;
    open[at] = 0;
    stack[depth++] = at;
  };
  visit(seed);
  while (depth > 0) {
    const at = stack[--depth] as number;
    const x = at % width;
    const y = (at - x) / width;
    region.left = Math.min(region.left, x);
    region.right = Math.max(region.right, x);
    region.top = Math.min(region.top, y);
    region.bottom = Math.max(region.bottom, y);
    region.pixels++;
    region.sum += map[at] as number;
    if (x > 0) visit(at - 1);
    if (x < width - 1) visit(at + 1);
    if (y > 0) visit(at - width);
    if (y < height - 1) visit(at + width);
  }
  return region;
};

const toDetection = (region: Region): RawDetection => {
  const width = region.right - region.left + 1;
  const height = region.bottom - region.top + 1;
  const margin = (region.pixels * UNCLIP_RATIO) / (2 * (width + height)) + EDGE_HEIGHTS * height;
  return {
    objectClass: 'license-plate',
    score: region.sum / region.pixels,
    box: {
      x1: region.left - margin,
      y1: region.top - margin,
      x2: region.right + 1 + margin,
      y2: region.bottom + 1 + margin,
    },
  };
};

/**
 * Decodes a differentiable-binarisation network: connected components of its probability map, grown to the full text.
 *
 * Output: `[1, 1, netHeight, netWidth]`, 0..1. The score is the mean probability of the region.
 */
const decodeTextRegions: DetectionHead = (outputs, netWidth, _netHeight, minimum) => {
  const map = (outputs[0] as Tensor).data;
  const open = new Uint8Array(map.length);
  for (let i = 0; i < map.length; i++) open[i] = (map[i] as number) >= TEXT_PROBABILITY ? 1 : 0;
  const stack = new Int32Array(map.length);
  const found: RawDetection[] = [];
  for (let at = open.indexOf(1); at >= 0; at = open.indexOf(1, at + 1)) {
    const region = flood(map, open, netWidth, at, stack);
    if (region.pixels < MIN_PIXELS) continue;
    const detection = toDetection(region);
    if (detection.score >= (minimum['license-plate'] ?? 1)) found.push(detection);
  }
  return found;
};

export const textRegions: Head<'text-regions'> = {
  name: 'text-regions',
  role: 'text-detector',
  decode: decodeTextRegions,
};
