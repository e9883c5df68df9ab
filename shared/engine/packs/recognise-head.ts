import type { HeadName } from '../../domain/manifest';
import { HEADS, type Head } from '../heads/heads';
import {
  dimsOf,
  FLOAT32,
  hasDims,
  holdsOne,
  STRIDES,
  type GraphReading,
  type GraphValue,
  type OnnxFacts,
} from '../heads/recognise-graph';

/** What a pack's description would say of a graph that one head reads. */
export interface HeadReading extends GraphReading {
  readonly head: HeadName;
}

/** Why no reading can be had; the page has a sentence for each. */
export type HeadRefusal = 'no-picture-input' | 'wrong-number-type' | 'unknown-outputs';

export type Recognised =
  /** More than one where shapes alone do not tell: a person has to choose, by what each finds. */
  { readonly readings: readonly HeadReading[] } | { readonly refusal: HeadRefusal };

/** What a graph gave for a picture of some size, where the file leaves its outputs' shapes open. */
export interface SeenShapes {
  readonly width: number;
  readonly height: number;
  readonly outputs: ReadonlyMap<string, readonly number[]>;
}

const PLANES = 3;

const isPicture = (value: GraphValue): boolean =>
  holdsOne(value) && hasDims(value, undefined, PLANES, undefined, undefined);

const cellsOf = (picture: GraphValue, seen: SeenShapes | undefined): number | undefined => {
  const [height = seen?.height, width = seen?.width] = dimsOf(picture).slice(2);
  if (height === undefined || width === undefined) return undefined;
  return STRIDES.reduce((sum, stride) => sum + Math.floor(height / stride) * Math.floor(width / stride), 0);
};

/** What is certain hides what is merely possible. */
const preferred = (readings: readonly HeadReading[]): readonly HeadReading[] => {
  const certain = readings.filter(({ classes }) => classes !== undefined);
  return certain.length > 0 ? certain.slice(0, 1) : readings;
};

/** Outputs as they came, where they were seen. */
const withSeen = ({ outputs }: OnnxFacts, seen: SeenShapes | undefined): readonly GraphValue[] =>
  outputs.map((output) => ({ ...output, dims: seen?.outputs.get(output.name) ?? output.dims }));

/**
 * Finds out how a graph's outputs can be read, by its inputs' and outputs' shapes and names.
 *
 * @param classCount how many classes the file says to know, where it does
 * @param seen what the graph gave, for files that leave shapes open
 */
export const recogniseHead = (facts: OnnxFacts, classCount?: number, seen?: SeenShapes): Recognised => {
  const picture = facts.inputs.find(isPicture);
  if (!picture) return { refusal: 'no-picture-input' };
  if (picture.elementType !== FLOAT32) return { refusal: 'wrong-number-type' };
  const outputs = withSeen(facts, seen);
  const graph = { ...facts, outputs, picture, cells: cellsOf(picture, seen), known: classCount };
  // Rows of YOLOX and those of NMS can look alike where a network's size is open: then there are several readings.
  const readings = Object.values<Head>(HEADS)
    .filter(({ role }) => (role === 'prompted-segmenter') === facts.inputs.length > 1)
    .flatMap(({ name, recognise }) => {
      const reading = recognise?.(graph);
      return reading ? [{ head: name, ...reading }] : [];
    });
  if (readings.length === 0) return { refusal: 'unknown-outputs' };
  const isFloat = (name: string): boolean =>
    outputs.some((output) => output.name === name && output.elementType === FLOAT32);
  const readable = readings.filter((reading) => reading.outputs.every(isFloat));
  return readable.length > 0 ? { readings: preferred(readable) } : { refusal: 'wrong-number-type' };
};

/** Whether a reading needs what the graph gives to be seen first. */
export const leavesShapesOpen = ({ inputs, outputs }: OnnxFacts): boolean =>
  [...inputs.filter(isPicture), ...outputs].some(
    ({ dims }) => dims === undefined || dims.slice(1).includes(undefined),
  );
