import type { HdrTransfer } from '../../domain/hdr';
import type { Vector3 } from './srgb';

/** Constants of the perceptual quantizer (SMPTE ST 2084; ITU-R BT.2100, table 4). */
const PQ = {
  m1: 2610 / 16_384,
  m2: (2523 / 4096) * 128,
  c1: 3424 / 4096,
  c2: (2413 / 4096) * 32,
  c3: (2392 / 4096) * 32,
  maxNits: 10_000,
} as const;

/** Light in cd/m² of a PQ signal 0..1. */
export const nitsOfPq = (signal: number): number => {
  const power = Math.max(0, signal) ** (1 / PQ.m2);
  return PQ.maxNits * (Math.max(0, power - PQ.c1) / (PQ.c2 - PQ.c3 * power)) ** (1 / PQ.m1);
};

/** The PQ signal 0..1 of light in cd/m². */
export const pqOfNits = (nits: number): number => {
  const power = (Math.max(0, nits) / PQ.maxNits) ** PQ.m1;
  return ((PQ.c1 + PQ.c2 * power) / (1 + PQ.c3 * power)) ** PQ.m2;
};

/** Constants of hybrid log-gamma (ITU-R BT.2100, table 5). */
const HLG = { a: 0.178_832_77, b: 0.284_668_92, c: 0.559_910_73 } as const;
/** Gamma of the display for which HLG is made, at its peak (BT.2100, note 5e). */
const SYSTEM_GAMMA = 1.2;

/** Light of the scene, 0..1, of an HLG signal 0..1: the inverse of the camera's curve. */
export const sceneOfHlg = (signal: number): number =>
  signal <= 0.5 ? Math.max(0, signal) ** 2 / 3 : (Math.exp((signal - HLG.c) / HLG.a) + HLG.b) / 12;

/**
 * Peak of the source in cd/m²: that of the display for which HLG has its gamma, and to which phones and most studios
 * master PQ. Statements of a file (MaxCLL, mastering display) are not used: any number may stand there.
 */
export const PEAK_NITS = 1000;

/** The signal of `PEAK_NITS`; brighter ones count as this one, component by component, as on a display. */
export const peakSignalOf = (transfer: HdrTransfer): number => (transfer === 'pq' ? pqOfNits(PEAK_NITS) : 1);

/**
 * Light that a display emits for a signal: red, green and blue in cd/m².
 *
 * @param toLuminance weights of red, green and blue in luminance, which depend on the primaries
 */
export const displayLight = (
  transfer: HdrTransfer,
  signal: Vector3,
  [red, green, blue]: Vector3,
): Vector3 => {
  if (transfer === 'pq') {
    return signal.map((value) => Math.min(PEAK_NITS, nitsOfPq(value))) as unknown as Vector3;
  }
  const scene = signal.map(sceneOfHlg) as unknown as Vector3;
  const luminance = red * scene[0] + green * scene[1] + blue * scene[2];
  // The transfer from the scene to the display (OOTF) acts on luminance, so that no hue changes.
  const gain = luminance > 0 ? PEAK_NITS * luminance ** (SYSTEM_GAMMA - 1) : 0;
  return scene.map((light) => gain * light) as unknown as Vector3;
};
