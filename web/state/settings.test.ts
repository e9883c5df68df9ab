import { expect, it } from 'vitest';
import { defaultSettings, sameSearch, sameSettings, setThreshold, toggleClass } from './settings';

const ALL = ['face', 'license-plate', 'person', 'vehicle'] as const;
const settings = defaultSettings();

it("begins with the API's own thresholds", () => {
  expect(settings).toMatchObject({ method: 'blur', thresholds: { face: 0.5, vehicle: 0.4 } });
});

it('a class is switched on and off, in the order of the list', () => {
  const withPersons = toggleClass({ ...settings, classes: ['vehicle'] }, 'person', ALL);
  expect(withPersons.classes).toEqual(['person', 'vehicle']);
  expect(toggleClass(withPersons, 'vehicle', ALL).classes).toEqual(['person']);
});

it('the threshold of a class that is off makes no difference', () => {
  expect(sameSettings(settings, setThreshold(settings, 'vehicle', 0.9))).toBe(true);
  expect(sameSettings(settings, setThreshold(settings, 'face', 0.9))).toBe(false);
  expect(sameSettings(settings, toggleClass(settings, 'vehicle', ALL))).toBe(false);
});

it('metadata that stay make another result, and need no new search', () => {
  expect(sameSettings(settings, { ...settings, keepsMetadata: true })).toBe(false);
  expect(sameSearch(settings, { ...settings, keepsMetadata: true })).toBe(true);
  expect(sameSettings(settings, { ...settings, keepsMetadata: false })).toBe(true);
});

it('settings of earlier versions look as hard as is usual', () => {
  const { quality: _none, ...earlier } = settings;
  expect(sameSettings(settings, earlier)).toBe(true);
  expect(sameSettings(earlier, { ...settings, quality: 'thorough' })).toBe(false);
  expect(sameSettings(earlier, { ...settings, hidesHeads: false })).toBe(true);
  expect(sameSettings(earlier, { ...settings, hidesHeads: true })).toBe(false);
});
