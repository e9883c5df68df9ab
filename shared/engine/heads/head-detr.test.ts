import { describe, expect, it } from 'vitest';
import type { Tensor } from '../../ports/inference';
import { boxOf } from '../../testing/plans';
import { detr } from './head-detr';

const NET = { width: 640, height: 320 };
const LABELS = { 0: 'person', 2: 'vehicle', 7: 'vehicle' } as const;
const WANTED = { person: 0.4, vehicle: 0.5 };
const CLASSES = 8;
const LOW = -9;

interface TestQuery {
  /** Logits by class. */
  readonly logits: Readonly<Record<number, number>>;
  readonly box?: readonly [number, number, number, number];
}

const outputsOf = (...queries: readonly TestQuery[]): [Tensor, Tensor] => {
  const logits = new Float32Array(queries.length * CLASSES).fill(LOW);
  const boxes = new Float32Array(queries.length * 4);
  queries.forEach(({ logits: byClass, box = [0.5, 0.5, 0.25, 0.25] }, query) => {
    for (const [label, logit] of Object.entries(byClass)) logits[query * CLASSES + Number(label)] = logit;
    boxes.set(box, 4 * query);
  });
  return [
    { data: logits, dims: [1, queries.length, CLASSES] },
    { data: boxes, dims: [1, queries.length, 4] },
  ];
};
const decode = (
  outputs: readonly Tensor[],
  labels: Parameters<NonNullable<typeof detr.decode>>[3] = LABELS,
) => detr.decode!(outputs, NET, WANTED, labels);

describe('a DETR', () => {
  it('scores each prediction by the sigmoid of its best wanted class, and scales its box to the input', () => {
    const [found, ...others] = decode(
      outputsOf(
        { logits: { 0: -1 } },
        { logits: { 0: 0.2, 2: 1.5, 5: 8 }, box: [0.25, 0.5, 0.125, 0.5] },
        { logits: { 5: 8 } },
      ),
    );
    expect(found).toEqual({
      objectClass: 'vehicle',
      score: expect.closeTo(1 / (1 + Math.exp(-1.5)), 6) as number,
      box: boxOf(120, 80, 200, 240),
    });
    expect(others).toEqual([]);
  });

  it('reports two predictions at one place: nothing is suppressed within a tile', () => {
    const same: TestQuery = { logits: { 0: 2 } };
    expect(decode(outputsOf(same, same))).toHaveLength(2);
  });

  it('reports no score that is not a number, and no class beyond its own', () => {
    expect(decode(outputsOf({ logits: { 0: Number.NaN } }))).toEqual([]);
    expect(decode(outputsOf({ logits: {} }, { logits: { 0: 5 } }), { [CLASSES]: 'person' })).toEqual([]);
  });

  it('is refused if scores and boxes do not match, or are too many', () => {
    const [logits, boxes] = outputsOf({ logits: {} }, { logits: {} });
    const fewer: Tensor = { data: new Float32Array(4), dims: [1, 1, 4] };
    expect(() => decode([logits, fewer])).toThrow('[1, 2, 8] do not match boxes of the shape [1, 1, 4]');
    expect(() => decode([{ ...logits, dims: [2, CLASSES] }, boxes])).toThrow('do not match');
    const many = Array.from({ length: 1001 }, () => ({ logits: {} }));
    expect(() => decode(outputsOf(...many))).toThrow('1001 predictions');
  });

  it('with masks gives each person and vehicle the probabilities of its own mask around its box', () => {
    const box = [0.5, 0.5, 0.25, 0.5] as const;
    const outputs = outputsOf({ logits: { 0: 3 }, box }, { logits: { 2: 3 }, box });
    const cells = 16 * 8;
    const logits = Float32Array.from({ length: 2 * cells }, (_, i) => (i < cells ? -2 : 0.75));
    const masks: Tensor = { data: logits, dims: [1, 2, 8, 16] };
    const [person, vehicle] = decode([...outputs, masks]);
    // Cells of 40 px; the box is 240..400 × 80..240, and one cell more on each side.
    const place = { columns: 6, rows: 6, x: 200, y: 40, scaleX: 1 / 40, scaleY: 1 / 40 };
    expect(person?.mask).toMatchObject(place);
    expect(vehicle?.mask).toMatchObject(place);
    expect(person?.mask?.data[0]).toBeCloseTo(1 / (1 + Math.exp(2)), 6);
    expect(vehicle?.mask?.data[0]).toBeCloseTo(1 / (1 + Math.exp(-0.75)), 6);
    const one: Tensor = { data: logits.subarray(0, cells), dims: [1, 1, 8, 16] };
    expect(() => decode([...outputs, one])).toThrow('2 predictions and 1 masks');
    expect(() => decode([...outputs, { ...masks, dims: [2, 8, 16] }])).toThrow('shape');
  });
});
