import { expect, test } from 'vitest';
import { imageOptions, parseTiling } from './image-options';
import { readUpload } from '../http/query';

const optionsOf = (query: string, classes: Parameters<typeof imageOptions>[1]['classes'] = ALL) =>
  imageOptions(readUpload(`/?${query}`), { classes, format: { kind: 'pano', width: 4096 } });
const ALL = ['face', 'license-plate', 'person', 'vehicle'] as const;

test('without parameters, everything is as existing clients expect', () => {
  expect(optionsOf('')).toEqual({
    method: 'blur',
    classes: ALL,
    thresholds: { face: 0.5, 'license-plate': 0.5, person: 0.4, vehicle: 0.4 },
    bbox: false,
    debug: false,
    jpegCopy: false,
    score: false,
    plates: 'usual',
    qualityPreset: 'balanced',
    reasonLabels: false,
    headFallback: false,
    format: { kind: 'pano', width: 4096 },
    ignores: [],
  });
});

test('classes that are switched on are the only ones', () => {
  expect(optionsOf('vehicle=True&face=1').classes).toEqual(['face', 'vehicle']);
  expect(optionsOf('vehicle=True&face=False').classes).toEqual(['vehicle']);
});

test('where classes are only switched off, the others stay', () => {
  expect(optionsOf('vehicle=False', ['face', 'vehicle']).classes).toEqual(['face']);
});

test('switching off every class that is offered is refused', () => {
  expect(() => optionsOf('face=False', ['face'])).toThrow('select at least one of face');
});

test('text is selected only by its own parameter, or by a service that was started with it', () => {
  expect(optionsOf('text-threshold=0.3')).toEqual(optionsOf(''));
  expect(optionsOf('text=True').classes).toEqual(['text']);
  expect(optionsOf('text=True', ['face']).classes).toEqual(['text']);
  expect(optionsOf('face=True&text=True', ['face']).classes).toEqual(['face', 'text']);
  expect(optionsOf('', ['face', 'text']).classes).toEqual(['face', 'text']);
  expect(optionsOf('text=False', ['face', 'text']).classes).toEqual(['face']);
  expect(() => optionsOf('text=False', ['text'])).toThrow('select at least one of text');
});

test('only requests that select text have a threshold for it', () => {
  expect(optionsOf('text=True').thresholds).toEqual({ ...optionsOf('').thresholds, text: 0.5 });
  expect(optionsOf('text=True&text_threshold=0.3').thresholds.text).toBe(0.3);
  expect(optionsOf('face=True&text-threshold=0.3').thresholds).toEqual(optionsOf('').thresholds);
});

test('segmentation-threshold stands for persons and vehicles unless those are given', () => {
  expect(optionsOf('segmentation-threshold=0.7&vehicle-threshold=0.2').thresholds).toEqual({
    face: 0.5,
    'license-plate': 0.5,
    person: 0.7,
    vehicle: 0.2,
  });
});

test('format is read in each of its forms', () => {
  expect(parseTiling('whole')).toEqual({ kind: 'whole' });
  expect(parseTiling('"whole"')).toEqual({ kind: 'whole' });
  expect(parseTiling('pano:8192')).toEqual({ kind: 'pano', width: 8192 });
  expect(parseTiling('{"number":[3,2],"overlap":[0.1,0.25]}')).toEqual({
    kind: 'grid',
    number: [3, 2],
    overlap: [0.1, 0.25],
  });
});

test('plates are also searched as text with `plates=thorough`', () => {
  expect(optionsOf('plates=thorough').plates).toBe('thorough');
  expect(optionsOf('plates=usual').plates).toBe('usual');
  expect(() => optionsOf('plates=all')).toThrow(/^`plates` must be /);
});

test('the quality preset is passed on', () => {
  expect(optionsOf('quality-preset=thorough').qualityPreset).toBe('thorough');
  expect(optionsOf('quality_preset=fast').qualityPreset).toBe('fast');
  expect(optionsOf('').qualityPreset).toBe('balanced');
  expect(() => optionsOf('quality-preset=best')).toThrow(
    '`quality-preset` must be one of fast, balanced, thorough, not "best".',
  );
});

test('heads are hidden in place of faces only where that is asked for', () => {
  expect(optionsOf('head-fallback=True').headFallback).toBe(true);
  expect(optionsOf('head_fallback=no').headFallback).toBe(false);
});

test('margins are kept, and absent where none is given', () => {
  expect(optionsOf('margin=1.5&face_margin=2')).toMatchObject({ margin: 1.5, margins: { face: 2 } });
  expect(optionsOf('')).not.toHaveProperty('margin');
  expect(optionsOf('')).not.toHaveProperty('margins');
});

test('ignores become areas of the upright image', () => {
  const text = encodeURIComponent('[{"topLeftX":-4,"topLeftY":5,"width":6,"height":7}]');
  expect(optionsOf(`ignores=${text}`).ignores).toEqual([{ x: -4, y: 5, width: 6, height: 7 }]);
});

test('a complaint quotes what came, in one line and shortened', () => {
  const text = encodeURIComponent(`\n${'x'.repeat(500)}`);
  expect(() => optionsOf(`ignores=${text}`)).toThrow(/^`ignores` must be .* not "x{60}…"\.$/);
  expect(() => optionsOf('method=a%0Ab')).toThrow('"a?b"');
});
