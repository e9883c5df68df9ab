import { boxHeight, boxWidth, boxAround, type Box } from '../../domain/boxes';
import { MOTION_NOISE } from './track-limits';

/** One coordinate and its speed per second, with the covariance matrix [[pp, pv], [pv, vv]]. */
interface AxisState {
  readonly place: number;
  readonly velocity: number;
  readonly pp: number;
  readonly pv: number;
  readonly vv: number;
}

/**
 * State of a moving box: centre, width and height, each with its speed.
 *
 * ByteTrack's eight-dimensional state. Its matrices are block-diagonal (no coordinate acts on another), so it is kept
 * and computed as four filters of two dimensions, which needs no matrix library.
 */
export interface BoxMotion {
  readonly x: AxisState;
  readonly y: AxisState;
  readonly width: AxisState;
  readonly height: AxisState;
}

/** The noise of one coordinate in px: of a measurement, of the first velocity, of the acceleration. */
interface AxisNoise {
  readonly measured: number;
  readonly firstVelocity: number;
  readonly acceleration: number;
}

const noiseOf = (sidePx: number, factor: number): AxisNoise => ({
  measured: MOTION_NOISE.measured * sidePx,
  firstVelocity: MOTION_NOISE.firstVelocity * factor * sidePx,
  acceleration: MOTION_NOISE.acceleration * factor * sidePx,
});

const startAxis = (place: number, noise: AxisNoise): AxisState => ({
  place,
  velocity: 0,
  pp: noise.measured ** 2,
  pv: 0,
  vv: noise.firstVelocity ** 2,
});

/**
 * x′ = F x, P′ = F P Fᵀ + Q with F = [[1, t], [0, 1]] and the white acceleration of standard deviation a,
 * Q = a² [[t⁴/4, t³/2], [t³/2, t²]].
 */
const predictAxis = (
  { place, velocity, pp, pv, vv }: AxisState,
  seconds: number,
  { acceleration }: AxisNoise,
): AxisState => {
  const t = seconds;
  const q = acceleration ** 2;
  return {
    place: place + velocity * t,
    velocity,
    pp: pp + 2 * t * pv + t * t * vv + (q * t ** 4) / 4,
    pv: pv + t * vv + (q * t ** 3) / 2,
    vv: vv + q * t * t,
  };
};

/** With H = [1, 0] and R = measured²: gain K = P Hᵀ / (pp + R), x′ = x + K (z − place), P′ = (I − K H) P. */
const correctAxis = (
  { place, velocity, pp, pv, vv }: AxisState,
  measured: number,
  noise: AxisNoise,
): AxisState => {
  const innovation = measured - place;
  const total = pp + noise.measured ** 2;
  const gain = pp / total;
  const velocityGain = pv / total;
  return {
    place: place + gain * innovation,
    velocity: velocity + velocityGain * innovation,
    pp: (1 - gain) * pp,
    pv: (1 - gain) * pv,
    vv: vv - velocityGain * pv,
  };
};

type Axis = keyof BoxMotion;

const mapAxes = (compute: (axis: Axis) => AxisState): BoxMotion => ({
  x: compute('x'),
  y: compute('y'),
  width: compute('width'),
  height: compute('height'),
});

const measure = (box: Box): Record<Axis, number> => ({
  x: (box.x1 + box.x2) / 2,
  y: (box.y1 + box.y2) / 2,
  width: boxWidth(box),
  height: boxHeight(box),
});

const noises = (width: number, height: number): Record<Axis, AxisNoise> => ({
  x: noiseOf(width, 1),
  y: noiseOf(height, 1),
  width: noiseOf(width, MOTION_NOISE.sizeFactor),
  height: noiseOf(height, MOTION_NOISE.sizeFactor),
});

/** Minimum side for noise: sides are estimates too, and noise must not vanish with them. */
const MIN_SIDE_PX = 1;
const ownNoises = ({ width, height }: BoxMotion): Record<Axis, AxisNoise> =>
  noises(Math.max(MIN_SIDE_PX, width.place), Math.max(MIN_SIDE_PX, height.place));

/** The motion of a box with one hit: at rest, with high variance. */
export const startMotion = (box: Box): BoxMotion => {
  const places = measure(box);
  const noise = noises(boxWidth(box), boxHeight(box));
  return mapAxes((axis) => startAxis(places[axis], noise[axis]));
};

/** @param seconds from the state's time to the wanted one, not negative; frames may be unevenly spaced */
export const predictMotion = (motion: BoxMotion, seconds: number): BoxMotion => {
  const noise = ownNoises(motion);
  return mapAxes((axis) => predictAxis(motion[axis], seconds, noise[axis]));
};

/** Corrects the state by the box detected at its time. */
export const correctMotion = (motion: BoxMotion, found: Box): BoxMotion => {
  const places = measure(found);
  const noise = ownNoises(motion);
  return mapAxes((axis) => correctAxis(motion[axis], places[axis], noise[axis]));
};

/** Raises the velocity's variance after a jump: the box may be as fast as the jump suggests. */
export const raiseVelocityVariance = (motion: BoxMotion): BoxMotion => {
  const noise = ownNoises(motion);
  return mapAxes((axis) => ({
    ...startAxis(motion[axis].place, noise[axis]),
    velocity: motion[axis].velocity,
    vv: (MOTION_NOISE.jumpFactor * noise[axis].firstVelocity) ** 2,
  }));
};

/** The box of the state. */
export const motionBox = ({ x, y, width, height }: BoxMotion): Box => {
  const halfWidth = Math.max(MIN_SIDE_PX, width.place) / 2;
  return boxAround(x.place, y.place, halfWidth, Math.max(MIN_SIDE_PX, height.place) / 2);
};

/** Standard deviation of the centre, in px. */
export const motionDeviation = ({ x, y }: BoxMotion): { readonly x: number; readonly y: number } => ({
  x: Math.sqrt(x.pp),
  y: Math.sqrt(y.pp),
});
