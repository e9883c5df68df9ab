import { expect, expectTypeOf, test } from 'vitest';
import { OBJECT_CLASSES } from './classes';
import type { HidingMethod } from './methods';
import {
  camel,
  commonOptions,
  DEFAULT_QUERY,
  panelSettings,
  PARAMETER_NAMES,
  PARAMETERS,
  videoOptions,
  type CommonOptions,
  type PanelSettings,
  type UploadQuery,
  type VideoOptions,
} from './derive-parameters';

test('each class has its parameters, and its own words and threshold in them', () => {
  for (const name of OBJECT_CLASSES) {
    expect(PARAMETER_NAMES).toEqual(expect.arrayContaining([name, `${name}-method`, `${name}-threshold`]));
  }
  expect(PARAMETERS['person-threshold']).toMatchObject({
    value: { default: 0.4 },
    description: 'Minimum score of detected persons.',
  });
  expect(PARAMETERS['text-method'].description).toMatch(/^How text is anonymised/);
  expect(PARAMETER_NAMES.filter((name) => name.includes('{'))).toEqual([]);
  expect(Object.values(PARAMETERS).filter(({ description }) => description.includes('{'))).toEqual([]);
});

test('a name is written with dashes outside and as one word inside', () => {
  expect(camel('no-object-tracking')).toBe('noObjectTracking');
  expectTypeOf(camel('detect-every')).toEqualTypeOf<'detectEvery'>();
});

test('names, values and defaults have the types that the table says', () => {
  expectTypeOf<UploadQuery['detect-every']>().toEqualTypeOf<number>();
  expectTypeOf<UploadQuery['face-threshold']>().toEqualTypeOf<number>();
  expectTypeOf<UploadQuery['license-plate']>().toEqualTypeOf<boolean | undefined>();
  expectTypeOf<UploadQuery['text-method']>().toEqualTypeOf<HidingMethod | undefined>();
  expectTypeOf<UploadQuery['audio']>().toEqualTypeOf<'keep' | 'mute'>();
  expectTypeOf<keyof VideoOptions>().toEqualTypeOf<
    'noObjectTracking' | 'detectEvery' | 'audio' | 'keepBitRate' | 'preview'
  >();
  expectTypeOf<VideoOptions['audio']>().toEqualTypeOf<'keep' | 'mute'>();
  expectTypeOf<CommonOptions['keepMetadata']>().toEqualTypeOf<boolean | undefined>();
  expectTypeOf<keyof PanelSettings>().toEqualTypeOf<
    | 'method'
    | 'margin'
    | 'reasonLabels'
    | 'qualityPreset'
    | 'headFallback'
    | 'textMatch'
    | 'textKeep'
    | 'keepMetadata'
    | 'audio'
  >();
});

test('defaults are complete, and options and settings are built from what was given', () => {
  const withDefault = PARAMETER_NAMES.filter((name) => 'default' in PARAMETERS[name].value);
  expect(Object.keys(DEFAULT_QUERY)).toEqual(withDefault);
  expect(videoOptions({ 'detect-every': 3, audio: 'mute' })).toEqual({
    ...{ noObjectTracking: false, detectEvery: 3, audio: 'mute', keepBitRate: false },
  });
  expect(commonOptions()).not.toHaveProperty('keepMetadata');
  expect(commonOptions({ 'keep-metadata': false })).toHaveProperty('keepMetadata', false);
  expect(Object.keys(commonOptions())).not.toContain('segmentationThreshold');
  expect(panelSettings({ audio: 'mute', method: 'blacken' })).toEqual({
    ...{
      method: 'blacken',
      reasonLabels: false,
      qualityPreset: 'balanced',
      headFallback: false,
      audio: 'mute',
    },
  });
});
