/** Runs of one network alone, on either host. */
import type { ModelEntry } from '#shared/domain/manifest';
import { headOf } from '#shared/engine/heads/heads';
import type { InferenceRuntime, Tensor } from '#shared/ports/inference';

/** Detections of another program in the image of {@link imageOf}: boxes as shares of the image. */
export interface Reference {
  readonly labels: readonly number[];
  readonly scores: readonly number[];
  readonly boxes: readonly (readonly number[])[];
}

export interface Network {
  readonly name: string;
  readonly path: string;
  readonly entry: ModelEntry;
  readonly width: number;
  readonly height: number;
  readonly reference: Reference | undefined;
}

export interface NetworkRuns {
  /** Of each run. */
  run(times: number): Promise<readonly number[]>;
  /** Largest difference of a score or side of a box from the reference; undefined without one. */
  difference(): Promise<number | undefined>;
}

/** The values that `export_detr.py` makes, too. */
const imageOf = ({ width, height }: Network): Tensor => ({
  data: Float32Array.from({ length: 3 * width * height }, (_, i) => 0.5 + 0.5 * Math.cos(i / 7)),
  dims: [1, 3, height, width],
});

/** Class, and score and sides of the box, as shares of the image. */
interface Row {
  readonly objectClass: string;
  readonly values: readonly number[];
}

/** The better one of several classes for one box. */
const rowsOf = ({ labels, scores, boxes }: Reference, { entry }: Network): Row[] => {
  const rows = new Map<string, Row>();
  labels.forEach((label, i) => {
    const objectClass = entry.labels?.[label];
    const values = [scores[i]!, ...boxes[i]!];
    const key = String(boxes[i]);
    if (objectClass && !rows.has(key)) rows.set(key, { objectClass, values });
  });
  return [...rows.values()];
};

const distance = (a: Row, b: Row): number =>
  a.objectClass === b.objectClass
    ? Math.max(...a.values.map((value, i) => Math.abs(value - b.values[i]!)))
    : Number.POSITIVE_INFINITY;

/** How far a row is from the nearest of the others, at most. */
const farthest = (rows: readonly Row[], others: readonly Row[]): number =>
  Math.max(...rows.map((one) => Math.min(...others.map((other) => distance(one, other)))));

/** Opens a network, and runs it once. */
export const openNetwork = async (
  runtime: InferenceRuntime,
  file: Uint8Array,
  network: Network,
): Promise<NetworkRuns> => {
  const { entry, width, height, reference } = network;
  const session = await runtime.createSession(file);
  const run = () => session.run({ [entry.input.name]: imageOf(network) }, entry.outputs);
  await run();
  return {
    run: async (times) => {
      const done: number[] = [];
      for (let i = 0; i < times; i++) {
        const started = performance.now();
        await run();
        done.push(performance.now() - started);
      }
      return done;
    },
    difference: async () => {
      const { decode } = headOf(entry.head);
      if (!reference || !decode) return undefined;
      const outputs = await run();
      const inOrder = entry.outputs.map((name) => outputs[name]!);
      const found = decode(inOrder, { width, height }, entry.thresholds, entry.labels);
      const rows = found.map(({ objectClass, score, box: { x1, y1, x2, y2 } }) => ({
        objectClass,
        values: [score, x1 / width, y1 / height, x2 / width, y2 / height],
      }));
      const expected = rowsOf(reference, network);
      return Math.max(farthest(rows, expected), farthest(expected, rows));
    },
  };
};

/** Figures of one process that has run a network. */
export interface MeasuredNetwork {
  readonly ms: readonly number[];
  /** Processor time of a run, all threads together. */
  readonly cpuMs: number;
  readonly peakMiB: number;
  readonly difference: number | undefined;
}

/** Runs of a process, after one that warms up. */
export const RUNS = 3;
