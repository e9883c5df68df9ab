import { describe, expect, it } from 'vitest';
import { HDR_TRANSFERS } from '../../domain/hdr';
import { PRIMARIES } from './code-points';
import { displayLight, nitsOfPq, peakSignalOf, pqOfNits, sceneOfHlg } from './hdr-light';
import { createToneMap } from './tone-map';
import { FULL_SIGNAL, lookUpPixel, toneTable } from './tone-table';
import type { Vector3 } from './srgb';

const BT_2020 = PRIMARIES[9]!;
const LUMINANCE: Vector3 = [0.2627, 0.678, 0.0593];
const grey = (value: number): Vector3 => [value, value, value];
const steps = (count: number): number[] => Array.from({ length: count + 1 }, (_, i) => i / count);

describe('light of a signal', () => {
  it('has the values that the recommendations state', () => {
    expect(nitsOfPq(0)).toBe(0);
    expect(nitsOfPq(1)).toBeCloseTo(10_000, 6);
    expect(pqOfNits(100)).toBeCloseTo(0.508, 3);
    expect(pqOfNits(203)).toBeCloseTo(0.58, 2);
    expect(sceneOfHlg(0.5)).toBeCloseTo(1 / 12, 6);
    expect(sceneOfHlg(1)).toBeCloseTo(1, 6);
    // White paper has 75 % of HLG, and 203 cd/m² on the display of 1,000 (BT.2408).
    expect(displayLight('hlg', grey(0.75), LUMINANCE)[0]).toBeCloseTo(203, 0);
    expect(displayLight('hlg', grey(1), LUMINANCE)[0]).toBeCloseTo(1000, 3);
  });

  it('returns from PQ to the same light', () => {
    for (const nits of [0.01, 1, 92, 203, 1000, 4000]) expect(nitsOfPq(pqOfNits(nits))).toBeCloseTo(nits, 6);
  });
});

/** Hue of a colour in light, as an angle around grey. */
const hueOf = ([red, green, blue]: Vector3): number =>
  Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue);
const lightOf = (signal: Vector3): Vector3 => signal.map((value) => value ** 2.4) as unknown as Vector3;

describe.each(HDR_TRANSFERS)('mapping from high dynamic range: %s', (transfer) => {
  const map = createToneMap(transfer, BT_2020);
  const table = toneTable(transfer, 9);
  const peak = peakSignalOf(transfer);
  const pixelOf = (signal: Vector3): Vector3 => {
    const [red, green, blue] = signal.map((value) =>
      Math.round((value / peak) * FULL_SIGNAL),
    ) as unknown as Vector3;
    const pixel = lookUpPixel(table, red, green, blue);
    return [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
  };

  it('keeps greys grey, and brighter ones brighter, up to white at the peak alone', () => {
    const levels = steps(1000).map((share) => pixelOf(grey(share * peak)));
    for (const [red, green, blue] of levels) expect([green, blue]).toEqual([red, red]);
    levels.slice(1).forEach(([level], i) => expect(level).toBeGreaterThanOrEqual(levels[i]![0]));
    const exact = steps(1000).map((share) => map(grey(share * peak))[0]);
    exact.slice(1).forEach((value, i) => expect(value).toBeGreaterThan(exact[i]!));
    expect(exact[0]).toBe(0);
    expect(exact[999]).toBeLessThan(1);
    expect(levels[1000]).toEqual([255, 255, 255]);
  });

  it('cuts off what is brighter than the peak or darker than black', () => {
    expect(pixelOf(grey(1.2))).toEqual([255, 255, 255]);
    expect(pixelOf([-0.1, -0.2, 0])).toEqual([0, 0, 0]);
  });

  it('keeps the hue of skin', () => {
    const skins = [
      [0.62, 0.48, 0.42],
      [0.55, 0.4, 0.33],
      [0.42, 0.3, 0.25],
      [0.7, 0.58, 0.52],
      [0.35, 0.25, 0.21],
    ] as const;
    for (const skin of skins) {
      const signal = skin.map((value) => value * peak) as unknown as Vector3;
      const source = displayLight(transfer, signal, LUMINANCE);
      // The same colour on a display of BT.709 without any compression.
      const wanted = hueOf(toBt709(source));
      expect(Math.abs(hueOf(lightOf(map(signal))) - wanted)).toBeLessThan(1e-4);
      const seen = pixelOf(signal).map((level) => level / 255) as unknown as Vector3;
      expect(Math.abs(hueOf(lightOf(seen)) - wanted)).toBeLessThan(0.05);
    }
  });

  it('keeps vivid colours apart that BT.709 lacks', () => {
    const reds = [0.6, 0.4, 0.2, 0].map((low) => map([0.7 * peak, low * peak, low * peak]));
    const saturations = reds.map((signal) => {
      const [red, green, blue] = lightOf(signal);
      return 1 - Math.min(green, blue) / (0.2126 * red + 0.7152 * green + 0.0722 * blue);
    });
    saturations.slice(1).forEach((value, i) => expect(value).toBeGreaterThan(saturations[i]!));
  });
});

/** BT.2087, table 4. */
const toBt709 = ([r, g, b]: Vector3): Vector3 => [
  1.6605 * r - 0.5876 * g - 0.0728 * b,
  -0.1246 * r + 1.1329 * g - 0.0083 * b,
  -0.0182 * r - 0.1006 * g + 1.1187 * b,
];
