import { expect, it } from 'vitest';
import {
  defaultSettings,
  namedParameters,
  hasSameSearch,
  hasSameResult,
  hasSameSettings,
  setThreshold,
  toggleClass,
} from './settings';

const ALL = ['face', 'license-plate', 'person', 'vehicle'] as const;
const settings = defaultSettings();

it('the initial thresholds are the defaults of the API', () => {
  expect(settings).toMatchObject({ method: 'blur', thresholds: { face: 0.5, vehicle: 0.4 } });
});

it('a class is enabled and disabled, and the order of the list stays', () => {
  const withPersons = toggleClass({ ...settings, classes: ['vehicle'] }, 'person', ALL);
  expect(withPersons.classes).toEqual(['person', 'vehicle']);
  expect(toggleClass(withPersons, 'vehicle', ALL).classes).toEqual(['person']);
});

it('the threshold of a disabled class has no effect on the results', () => {
  expect(hasSameSettings(settings, setThreshold(settings, 'vehicle', 0.9))).toBe(true);
  expect(hasSameSettings(settings, setThreshold(settings, 'face', 0.9))).toBe(false);
  expect(hasSameSettings(settings, toggleClass(settings, 'vehicle', ALL))).toBe(false);
});

it('another choice for metadata needs another result, but no new detection run', () => {
  expect(hasSameSettings(settings, { ...settings, keepMetadata: true })).toBe(false);
  expect(hasSameResult(settings, { ...settings, keepMetadata: true })).toBe(true);
  expect(hasSameSettings(settings, { ...settings, keepMetadata: false })).toBe(true);
});

it('another quality preset, and hidden heads, need another detection run', () => {
  expect(hasSameSettings(settings, { ...settings, qualityPreset: 'thorough' })).toBe(false);
  expect(hasSameSettings(settings, { ...settings, headFallback: false })).toBe(true);
  expect(hasSameSettings(settings, { ...settings, headFallback: true })).toBe(false);
});

it('another choice of text needs another detection run, and settings of earlier versions have none', () => {
  expect(hasSameSearch(settings, { ...settings, textMatch: 'email' })).toBe(false);
  expect(hasSameSearch({ ...settings, textKeep: 'Exit' }, settings)).toBe(false);
  expect(Object.keys(namedParameters(settings)).filter((name) => name.startsWith('text'))).toEqual([]);
});

it('text that is enabled has the default threshold', () => {
  const enabled = toggleClass(settings, 'text', [...ALL, 'text']);
  expect(enabled.classes).toContain('text');
  expect(hasSameSettings(enabled, setThreshold(enabled, 'text', 0.5))).toBe(true);
  expect(hasSameSettings(enabled, setThreshold(enabled, 'text', 0.6))).toBe(false);
});

it('text is off at first', () => {
  expect(settings.classes).not.toContain('text');
});
