import { describe, expect, it } from 'vitest';
import { videoOptions } from '#shared/catalogue/derive-parameters';
import { defaultImageOptions } from '#shared/domain/options';
import { hidesLess, type HidingOptions } from './hides-less';

const BASE: HidingOptions = {
  ...defaultImageOptions({ classes: ['face', 'license-plate'] }),
  ...videoOptions({ 'detect-every': 3 }),
};
const STRICT: HidingOptions = {
  ...BASE,
  ...{ method: 'blacken', plates: 'thorough', qualityPreset: 'thorough', bbox: true, headFallback: true },
  ...{ detectEvery: 1, audio: 'mute', classes: ['face', 'license-plate', 'text'] },
  thresholds: { ...BASE.thresholds, face: 0.3 },
};
const changes = (from: HidingOptions, to: HidingOptions): Partial<HidingOptions>[] =>
  (
    [
      'method',
      'plates',
      'qualityPreset',
      'bbox',
      'headFallback',
      'detectEvery',
      'audio',
      'classes',
      'thresholds',
    ] as const
  )
    .filter((name) => from[name] !== to[name])
    .map((name) => ({ [name]: to[name] }));

describe('settings', () => {
  it('hide not less than themselves', () => {
    expect([hidesLess(BASE, BASE), hidesLess(STRICT, { ...STRICT })]).toEqual([false, false]);
  });

  it.each(changes(BASE, STRICT))('hide not less with %j', (change) => {
    expect(hidesLess(BASE, { ...BASE, ...change })).toBe(false);
  });

  it.each(changes(STRICT, BASE))('hide less with %j', (change) => {
    expect(hidesLess(STRICT, { ...STRICT, ...change })).toBe(true);
  });

  it('hide less with a weaker method of one class, and not with a stronger one', () => {
    expect(hidesLess({ ...BASE, methods: { face: 'blacken' } }, BASE)).toBe(true);
    expect(
      hidesLess({ ...BASE, method: 'blacken' }, { ...BASE, method: 'blacken', methods: { face: 'blur' } }),
    ).toBe(true);
    expect(hidesLess(BASE, { ...BASE, methods: { face: 'blacken' } })).toBe(false);
    expect(hidesLess(BASE, { ...BASE, method: 'pixelate' })).toBe(false);
  });

  it('hide less with a smaller margin of one class, and not with a larger one', () => {
    expect(hidesLess({ ...BASE, margin: 1.2 }, BASE)).toBe(true);
    expect(hidesLess({ ...BASE, margin: 1.5 }, { ...BASE, margin: 1.5, margins: { face: 1.4 } })).toBe(true);
    expect(hidesLess({ ...BASE, margin: 1.2 }, { ...BASE, margin: 1.2, margins: { face: 1.4 } })).toBe(false);
    expect(hidesLess(BASE, { ...BASE, margin: 1.2 })).toBe(false);
  });

  it.each([
    { ignores: [{ x: 0, y: 0, width: 1, height: 1 }] },
    { hides: [{ topLeftX: 0, topLeftY: 0, width: 1, height: 1 }] },
    { format: { kind: 'pano', width: 4096 } },
    { show: 'somebody' },
    { noObjectTracking: true },
    { preview: 3 },
    { keepMetadata: true },
  ] as const)('that cannot be ordered must stay: %j', (change) => {
    expect(hidesLess(BASE, { ...BASE, ...change })).toBe(true);
  });
});
