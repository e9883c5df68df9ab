import { describe, expect, it } from 'vitest';
import { boxesIn, type Mp4Box } from '../engine/formats/mp4-boxes';
import { projectionOfEntry, projectionOfUuid } from '../engine/formats/panorama-boxes';
import { describeVideo } from './video-entry';

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));
const box = (type: string, ...content: readonly Uint8Array[]): Uint8Array => {
  const body = content.flatMap((part) => [...part]);
  const size = 8 + body.length;
  return Uint8Array.from([0, 0, size >> 8, size & 255, ...bytesOf(type), ...body]);
};
/** Size 64 × 32 px in an entry without further boxes. */
const entry = (...further: readonly Uint8Array[]): Uint8Array => {
  const fields = new Uint8Array(78);
  fields.set([0, 64, 0, 32], 24);
  return box('avc1', fields, ...further);
};
const stsdOf = (...further: readonly Uint8Array[]): Uint8Array =>
  box('stsd', new Uint8Array([0, 0, 0, 0, 0, 0, 0, 1]), entry(...further));
const contentOf = (bytes: Uint8Array): Mp4Box => ({ type: 'stsd', start: 8, end: bytes.length });
const projection = (...further: readonly Uint8Array[]) => {
  const stsd = stsdOf(...further);
  return projectionOfEntry(stsd, contentOf(stsd));
};
const sv3d = (...inProjection: readonly Uint8Array[]): Uint8Array =>
  box('sv3d', box('proj', ...inProjection));
const equi = (...bounds: readonly number[]): Uint8Array =>
  box('equi', new Uint8Array(4), Uint8Array.from(bounds.flatMap((bound) => [0, 0, 0, bound])));
const st3d = (mode: number): Uint8Array => box('st3d', Uint8Array.of(0, 0, 0, 0, mode));

/** The content of a box in boxes. */
const find = (bytes: Uint8Array, path: readonly string[], start = 0, end = bytes.length): Mp4Box => {
  const found = [...boxesIn(bytes, start, end)].find(({ type }) => type === path[0])!;
  return path.length === 1 ? found : find(bytes, path.slice(1), found.start, found.end);
};

describe('the result of a panorama', () => {
  const path = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd'];
  const moov = path
    .slice(0, -1)
    .reverse()
    .reduce((inner, type) => box(type, inner), stsdOf());

  it('says that it is one, as players read it', () => {
    const described = describeVideo(moov, { visible: { width: 64, height: 32 }, isSphere: true });
    expect(projectionOfEntry(described, find(described, path))).toBe('sphere');
  });

  it('is described like any other video where it is none', () => {
    const same = describeVideo(moov, { visible: { width: 64, height: 32 }, isSphere: false });
    expect(same).toEqual(moov);
    const padded = describeVideo(moov, { visible: { width: 63, height: 31 }, isSphere: false });
    expect(projectionOfEntry(padded, find(padded, path))).toBeUndefined();
    expect(new TextDecoder('latin1').decode(padded)).toContain('clap');
  });
});

describe('the description of a video', () => {
  it.each([
    ['a sphere', 'sphere', [st3d(0), sv3d(equi(0, 0, 0, 0))]],
    ['a part of a sphere', 'part', [sv3d(equi(0, 9, 0, 0))]],
    ['a cube', 'cube', [sv3d(box('cbmp', new Uint8Array(12)))]],
    ['lenses', 'lenses', [sv3d(box('mshp', new Uint8Array(12)))]],
    ['a sphere for two eyes', 'stereo', [st3d(1), sv3d(equi(0, 0, 0, 0))]],
    ['nothing in its projection', 'contradictory', [sv3d()]],
    ['nothing', undefined, []],
    ['something damaged', undefined, [Uint8Array.of(0, 0, 1, 0, 115, 118, 51, 100)]],
  ] as const)('says that it shows %s', (_name, expected, boxes) => {
    expect(projection(...boxes)).toBe(expected);
  });

  it.each([
    ['sphere', '<GSpherical:ProjectionType>equirectangular</GSpherical:ProjectionType>'],
    ['contradictory', '<GSpherical:ProjectionType>cylinder</GSpherical:ProjectionType>'],
    [
      'stereo',
      '<GSpherical:ProjectionType>equirectangular</GSpherical:ProjectionType><GSpherical:StereoMode>top-bottom</GSpherical:StereoMode>',
    ],
  ] as const)('is read as %s from the box of the first version', (expected, xml) => {
    const id = 'ffcc8263f8554a938814587a02521fdd'.match(/../g)!.map((byte) => parseInt(byte, 16));
    const text = bytesOf(`<rdf:SphericalVideo><GSpherical:Spherical>true</GSpherical:Spherical>${xml}`);
    const bytes = Uint8Array.from([...id, ...text]);
    expect(projectionOfUuid(bytes, { type: 'uuid', start: 0, end: bytes.length })).toBe(expected);
    expect(projectionOfUuid(bytes, { type: 'uuid', start: 1, end: bytes.length })).toBeUndefined();
  });
});
