import { describe, expect, it } from 'vitest';
import { HDR_TRANSFERS } from '#shared/domain/hdr';
import { deltaE } from './delta-e';
import { measureToneError } from './tone-error';

describe('the difference of two colours', () => {
  // Of Sharma, Wu and Dalal's test data.
  it.each([
    [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
    [[50, -1.3802, -84.2814], [50, 0, -82.7485], 1.0],
    [[50, 0, 0], [50, -1, 2], 2.3669],
    [[50, 2.49, -0.001], [50, -2.49, 0.0009], 7.1792],
    [[50, 2.5, 0], [73, 25, -18], 27.1492],
    [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
  ] as const)('is that of CIEDE2000: %o and %o', (one, other, difference) => {
    expect(deltaE(one, other)).toBeCloseTo(difference, 3);
    expect(deltaE(other, one)).toBeCloseTo(difference, 3);
  });
});

it.each(HDR_TRANSFERS)('planes are mapped from high dynamic range as the formulas say: %s', (transfer) => {
  const { greys, chart } = measureToneError(transfer);
  expect(greys.mean).toBeLessThan(0.3);
  expect(chart.mean).toBeLessThan(1);
});
