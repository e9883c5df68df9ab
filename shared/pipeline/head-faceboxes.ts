import type { Tensor } from '../ports/inference';
import type { DetectionHead, RawDetection } from './detection-head';

/** Centre offset and side of an anchor, in network px from its cell's corner. */
interface Anchor {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

/** Evenly dense anchors: `perSide`² of them in a 32 px cell, y running fastest. */
const dense = (perSide: number, side: number, first: number): Anchor[] => {
  const step = 32 / perSide;
  const places = Array.from({ length: perSide }, (_, i) => first + i * step);
  return places.flatMap((x) => places.map((y) => ({ x, y, side })));
};

/** Anchor densification after Zhang et al. 2017, in the order of the graph's channels. */
const LEVELS: readonly { readonly stride: number; readonly anchors: readonly Anchor[] }[] = [
  {
    stride: 32,
    anchors: [
      ...dense(4, 32, 4),
      { x: 0, y: 0, side: 64 },
      { x: 0, y: 32, side: 64 },
      { x: 32, y: 0, side: 64 },
      { x: 32, y: 32, side: 64 },
      { x: 16, y: 16, side: 128 },
    ],
  },
  { stride: 64, anchors: [{ x: 32, y: 32, side: 256 }] },
  { stride: 128, anchors: [{ x: 64, y: 64, side: 512 }] },
];

/** SSD box coding: centre offsets in tenths, log sizes in fifths of the anchor. */
const CENTRE_VARIANCE = 10;
const SIZE_VARIANCE = 5;

/** One anchor's planes at one level. */
const decodeAnchor = (
  boxes: Float32Array,
  scores: Float32Array,
  anchor: Anchor,
  index: number,
  grid: { readonly columns: number; readonly cells: number; readonly stride: number },
  minimum: number,
): RawDetection[] => {
  const found: RawDetection[] = [];
  const { columns, cells, stride } = grid;
  for (let cell = 0; cell < cells; cell++) {
    const score = scores[index * cells + cell] as number;
    if (score < minimum) continue;
    const code = (plane: number): number => boxes[(4 * index + plane) * cells + cell] as number;
    const cx = (code(1) / CENTRE_VARIANCE) * anchor.side + anchor.x + (cell % columns) * stride;
    const cy = (code(0) / CENTRE_VARIANCE) * anchor.side + anchor.y + Math.floor(cell / columns) * stride;
    const halfWidth = (Math.exp(code(3) / SIZE_VARIANCE) * anchor.side) / 2;
    const halfHeight = (Math.exp(code(2) / SIZE_VARIANCE) * anchor.side) / 2;
    found.push({
      objectClass: 'face',
      score,
      box: { x1: cx - halfWidth, y1: cy - halfHeight, x2: cx + halfWidth, y2: cy + halfHeight },
    });
  }
  return found;
};

/**
 * FaceBoxes (Zhang et al. 2017, arXiv:1708.05234).
 *
 * Outputs, for each stride 32, 64, 128: box codes `[1, 4 × anchors, h/stride, w/stride]` in planes ty, tx, th, tw of
 * each anchor, and scores `[1, anchors, …]`, 0..1.
 */
export const decodeFaceBoxes: DetectionHead = (outputs, netWidth, netHeight, minimum) =>
  LEVELS.flatMap(({ anchors, stride }, level) => {
    const columns = netWidth / stride;
    const grid = { columns, cells: columns * (netHeight / stride), stride };
    const boxes = (outputs[2 * level] as Tensor).data;
    const scores = (outputs[2 * level + 1] as Tensor).data;
    return anchors.flatMap((anchor, i) => decodeAnchor(boxes, scores, anchor, i, grid, minimum.face ?? 1));
  });
