import type { CutOut } from './cut-outs';
import type { Random } from './random';

/** Position and size of an object in frame `t`, in px of the scene, before the camera moves. */
export interface Actor {
  readonly cutOut: CutOut;
  /** Longer side of the object's box, without the margin of the cut-out. */
  size(t: number): number;
  x(t: number): number;
  y(t: number): number;
}

/** A post in front of all objects. */
export interface Occluder {
  readonly width: number;
  x(t: number): number;
}

/** The part of a clip between two cuts. */
export interface Scene {
  readonly background: string;
  readonly post: string;
  readonly actors: readonly Actor[];
  readonly occluders: readonly Occluder[];
  cameraX(t: number): number;
  cameraY(t: number): number;
}

export const KINDS = ['crossing', 'occluded', 'approaching', 'fast', 'shaky', 'cut'] as const;
export type Kind = (typeof KINDS)[number];

/** Frame size. The background is larger by `MARGIN` on each side, so that the camera can move. */
export const FRAME = { width: 640, height: 360 } as const;
export const MARGIN = 80;
export const FRAMES_PER_SECOND = 25;

/** Speed in px per frame, and growth per frame, by kind. */
const SPEED: Readonly<Record<Kind, number>> = {
  crossing: 4,
  occluded: 3,
  approaching: 1.5,
  fast: 16,
  shaky: 2,
  cut: 3,
};
const GROWTH: Readonly<Record<Kind, number>> = {
  crossing: 0.004,
  occluded: 0.004,
  approaching: 0.03,
  fast: 0.005,
  shaky: 0.004,
  cut: 0.004,
};
const SIZES = { face: [14, 80], 'license-plate': [24, 110] } as const;

/** @param height relative height of the actor in the middle of its path, 0..1 */
const createActor = (
  cutOut: CutOut,
  height: number,
  { kind, frames }: { readonly kind: Kind; readonly frames: number },
  random: Random,
): Actor => {
  const [min, max] = SIZES[cutOut.objectClass];
  // Uniform in the logarithm, so that small objects are as frequent as large ones.
  const first = Math.exp(random.between(Math.log(min), Math.log(max)));
  const growth = random.between(-0.3, 1) * GROWTH[kind];
  const speedX = random.between(0.4, 1) * SPEED[kind] * random.pick([-1, 1]);
  const speedY = random.between(-0.2, 0.2) * SPEED[kind];
  const middle = random.between(frames * 0.3, frames * 0.7);
  const middleX = random.between(0.25, 0.75) * FRAME.width;
  const middleY = (height + random.between(-0.08, 0.08)) * FRAME.height;
  const sway = random.between(0, 6);
  const rhythm = random.between(0.1, 0.4);
  return {
    cutOut,
    size: (t) => Math.min(150, first * Math.exp(growth * t)),
    x: (t) => middleX + speedX * (t - middle),
    y: (t) => middleY + speedY * (t - middle) + sway * Math.sin(rhythm * t),
  };
};

const createOccluder = (frames: number, random: Random): Occluder => {
  const speed = random.between(3, 7) * random.pick([-1, 1]);
  const middle = random.between(0.3, 0.7) * frames;
  const x = random.between(0.3, 0.7) * FRAME.width;
  return { width: random.between(15, 70), x: (t) => x + speed * (t - middle) };
};

/** @param kind the difficulty of the scene */
export const createScene = (
  kind: Kind,
  frames: number,
  stock: {
    readonly faces: readonly CutOut[];
    readonly plates: readonly CutOut[];
    readonly backgrounds: readonly string[];
  },
  random: Random,
): Scene => {
  const cast = [stock.faces, stock.plates, stock.faces, stock.plates].map((list) => random.pick(list));
  const jolt = random.between(0.3, 0.6) * frames;
  const shake = kind === 'shaky' ? random.between(4, 10) : random.between(0, 1.5);
  const joltPx = kind === 'shaky' ? random.between(20, 45) : 0;
  const pan = random.between(-0.8, 0.8);
  return {
    background: random.pick(stock.backgrounds),
    post: random.pick(stock.backgrounds),
    actors: cast.map((cutOut, i) => createActor(cutOut, 0.15 + 0.23 * i, { kind, frames }, random)),
    occluders: kind === 'occluded' ? [createOccluder(frames, random), createOccluder(frames, random)] : [],
    cameraX: (t) => pan * (t - frames / 2) + shake * Math.sin(t * 1.7) + (t > jolt ? joltPx : 0),
    cameraY: (t) => shake * Math.sin(t * 2.3) + (t > jolt ? joltPx / 2 : 0),
  };
};
