import { describe, expect, it } from 'vitest';
import type { GivenFor } from '../../domain/given';
import { boxOf } from '../../testing/plans';
import { givenFor, givenObjects, listGiven } from './read-given';

const IMAGE: GivenFor = { kind: 'image', filename: 'street.jpg', size: { width: 40, height: 30 } };
const VIDEO: GivenFor = { kind: 'video', filename: 'trip.mp4' };
const SIZE = { width: 40, height: 30 };
const FACE = { class: 'face', bbox: [1, 2, 11, 12] };

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const linesOf = (...lines: readonly object[]): Uint8Array =>
  bytesOf(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
const line = (object: object, rest: object = {}) => ({
  file: 'street.jpg',
  ...SIZE,
  objects: [object],
  ...rest,
});
const frame = (index: number, rest: object = {}) => ({
  file: 'trip.mp4',
  frame: index,
  ...SIZE,
  objects: [],
  ...rest,
});

/** Each image and each annotation in a line of its own, the first ones in lines 2 and 6. */
const coco = ({ images, annotations }: { readonly images?: object[]; readonly annotations?: object[] }) => {
  const image = { id: 1, file_name: 'street.jpg', ...SIZE };
  const lines = (list: readonly object[]): string => list.map((one) => JSON.stringify(one)).join(',\n');
  return bytesOf(`{"images":[
${lines(images ?? [image])}
],
"categories":[{"id":3,"name":"face"},{"id":4,"name":"dog"}],
"annotations":[
${lines(annotations ?? [])}
]}`);
};
const annotation = { id: 1, image_id: 1, category_id: 3, bbox: [1, 2, 10, 10] };

const readGiven = (file: Uint8Array, wanted: GivenFor) => givenFor(listGiven(file, wanted.hasAreas), wanted);
const objectsIn = (file: Uint8Array, wanted = IMAGE) => readGiven(file, wanted).map(givenObjects);

describe('objects of another detector', () => {
  it('have class, box, score and track, in both formats alike', () => {
    const expected = [[{ objectClass: 'face', score: 0.5, box: boxOf(1, 2, 11, 12), trackId: 7 }]];
    expect(objectsIn(linesOf(line({ ...FACE, score: 0.5, track: 7 })))).toEqual(expected);
    expect(objectsIn(coco({ annotations: [{ ...annotation, score: 0.5, track_id: 7 }] }))).toEqual(expected);
  });

  it('are certain where no score is given, and are cut at the edge of the image', () => {
    expect(objectsIn(linesOf(line({ class: 'person', bbox: [-5, 20.5, 8, 99] })))).toEqual([
      [{ objectClass: 'person', score: 1, box: boxOf(0, 20.5, 8, 30) }],
    ]);
  });

  it('have the pixels of their run lengths, compressed or not', () => {
    const shape = { kind: 'runs', box: boxOf(1, 1, 3, 3), runs: [0, 4] };
    const masks = [
      { size: [3, 4], counts: '42102' },
      { size: [3, 4], counts: [4, 2, 1, 2, 3] },
    ];
    for (const mask of masks) {
      const file = linesOf({ width: 4, height: 3, objects: [{ class: 'face', bbox: [0, 0, 4, 3], mask }] });
      expect(objectsIn(file, { ...IMAGE, size: { width: 4, height: 3 } })).toMatchObject([[{ shape }]]);
    }
  });

  it('have every pixel that their polygons touch', () => {
    const segmentation = [
      [2, 2, 4.5, 2, 4.5, 4, 2, 4],
      [8, 2, 9, 2, 9, 3],
    ];
    const [[object] = []] = objectsIn(coco({ annotations: [{ ...annotation, segmentation }] }));
    // Two rows of three pixels of the rectangle, and those around the triangle whose edges it touches.
    expect(object?.shape).toEqual({ kind: 'runs', box: boxOf(2, 2, 9, 4), runs: [0, 3, 2, 5, 3, 1] });
  });

  it('are those of the file that is named, by as many parts of its path as both have', () => {
    const file = linesOf(
      line({ ...FACE, class: 'person' }, { file: '/data/a/street.jpg' }),
      line(FACE, { file: 'b/street.jpg' }),
      line(FACE, { file: 'other.jpg' }),
    );
    expect(objectsIn(file, { ...IMAGE, filename: 'a/street.jpg' })).toMatchObject([
      [{ objectClass: 'person' }],
    ]);
    expect(objectsIn(linesOf(line(FACE, { file: undefined })))).toHaveLength(1);
  });

  it('are no areas, which the request hides itself', () => {
    const file = linesOf(line({ ...FACE, class: 'area' }));
    expect(objectsIn(file, { ...IMAGE, hasAreas: true })).toEqual([[]]);
  });

  it('of frames may be listed in any order', () => {
    const file = linesOf(frame(1), frame(0, { objects: [FACE] }), frame(2));
    expect(objectsIn(file, VIDEO).map(({ length }) => length)).toEqual([1, 0, 0]);
    const images = [1, 0].map((index) => ({
      ...{ id: index + 5, file_name: `trip.mp4#${index}`, frame_id: index, video_id: 1, ...SIZE },
    }));
    expect(readGiven(coco({ images }), VIDEO)).toHaveLength(2);
  });
});

const REFUSED: readonly (readonly [what: string, file: Uint8Array, sentence: RegExp, wanted?: GivenFor])[] = [
  ['nothing', bytesOf(' \n'), /^The detections are empty\.$/],
  ['bytes that are no text', Uint8Array.of(0xff, 0xfe), /UTF-8/],
  ['a line that is no JSON', bytesOf('{"width":40,"height":30,"objects":[]}\n{"wi'), /^Line 2 .* JSON/],
  ['a file that is no JSON', bytesOf('{"images": [],\n"annotations": [}'), /^Line 2 .* JSON/],
  ['a file that ends too early', bytesOf('{"images": [],\n"annotations": [\n'), /^Line \d .* JSON/],
  ['a list without images', bytesOf('{"images":[],"annotations":[],"categories":[]}'), /list nothing for/],
  ['a file without annotations', bytesOf('{"images":[]}'), /`categories`/],
  ['an unknown class', linesOf(line(FACE), line({ ...FACE, class: 'dog' })), /^Line 2 .*"dog"/],
  [
    'an unknown category',
    coco({ annotations: [annotation, { ...annotation, category_id: 4 }] }),
    /^Line 7 .*"dog"/,
  ],
  [
    'a category without a name',
    coco({ annotations: [{ ...annotation, category_id: 9 }] }),
    /^Line 6 .* not 9/,
  ],
  [
    'an annotation of no image',
    coco({ annotations: [{ ...annotation, image_id: 2 }] }),
    /^Line 6 .*`image_id`/,
  ],
  ['a box outside', linesOf(line({ ...FACE, bbox: [40, 0, 50, 9] })), /^Line 1 .* outside .* 40 × 30/],
  ['a turned box', linesOf(line({ ...FACE, bbox: [9, 0, 1, 9] })), /^Line 1 .* outside/],
  ['a box of three numbers', linesOf(line({ ...FACE, bbox: [1, 2, 3] })), /^Line 1 .* four numbers/],
  [
    'a box of texts',
    coco({ annotations: [{ ...annotation, bbox: ['a', 1, 2, 3] }] }),
    /^Line 6 .* four numbers/,
  ],
  ['a score above 1', linesOf(line({ ...FACE, score: 99 })), /^Line 1 .* score .* not 99/],
  ['a track that is no number', linesOf(line({ ...FACE, track: 'a' })), /^Line 1 .* track/],
  ['no size', linesOf({ objects: [] }), /^Line 1 .*`width`/],
  ['a side that no image has', linesOf({ width: 1e15, height: 1, objects: [] }), /^Line 1 .*`width`/],
  [
    'polygons that take too long to draw',
    linesOf(
      line(
        { ...FACE, mask: [Array.from({ length: 150_000 }, (_, at) => (at % 4 < 2 ? 0 : 65_000))] },
        { height: 65_000 },
      ),
    ),
    /^Line 1 .* at most 2147483648 pixels/,
    { ...IMAGE, size: { width: 40, height: 65_000 } },
  ],
  ['another size', linesOf(line(FACE, { width: 41 })), /^Line 1 .* 41 × 30, .* 40 × 30 pixels\.$/],
  ['another rotation', linesOf(line(FACE, { width: 30, height: 40 })), /^Line 1 .*: turn the detections/],
  ['a file listed twice', linesOf(line(FACE), line(FACE)), /^Line 2 .*"street.jpg" is listed twice/],
  [
    'an id used twice',
    coco({ images: [1, 1].map((id) => ({ id, file_name: 'a', ...SIZE })) }),
    /^Line 3 .* twice/,
  ],
  ['another file', linesOf(line(FACE, { file: 'a.jpg' })), /list nothing for "street.jpg"/],
  [
    'a mask of another size',
    linesOf(line({ ...FACE, mask: { size: [4, 3], counts: [12] } })),
    /^Line 1 .* mask/,
  ],
  [
    'a mask that is cut',
    linesOf(line({ ...FACE, mask: { size: [30, 40], counts: 'o' } })),
    /^Line 1 .* mask/,
  ],
  ['a polygon of two corners', linesOf(line({ ...FACE, mask: [[1, 2, 3, 4]] })), /^Line 1 .* three corners/],
  [
    'too many objects',
    linesOf(line(FACE, { objects: Array.from({ length: 5_001 }, () => FACE) })),
    /at most 5000/,
  ],
  ['a frame for an image', linesOf(line(FACE, { frame: 0 })), /^Line 1 .* the file is an image/],
  [
    'an image for a video',
    linesOf(line(FACE, { file: 'trip.mp4' })),
    /^Line 1 .* the file is a video/,
    VIDEO,
  ],
  ['a missing frame', linesOf(frame(0), frame(2)), /^Line 2 .*: frame 1 is missing/, VIDEO],
  [
    'a frame listed twice',
    linesOf(frame(0), frame(1), frame(1)),
    /^Line 3 .*: frame 1 is listed twice/,
    VIDEO,
  ],
  ['frames of two sizes', linesOf(frame(0), frame(1, { width: 41 })), /^Line 2 .* 41 × 30/, VIDEO],
  [
    'too few frames',
    linesOf(frame(0)),
    /^Line 1 .* 1 frames are listed, and the video has 2/,
    { ...VIDEO, frameCount: 2 },
  ],
];

describe('a file of detections is refused by one sentence with its line', () => {
  const rows = REFUSED.map(([what, file, sentence, wanted = IMAGE]) => ({ what, file, sentence, wanted }));
  it.each(rows)('for $what', ({ file, sentence, wanted }) => {
    expect(() => readGiven(file, wanted)).toThrow(sentence);
  });

  const mask = { size: [30, 40], counts: [0, 1200] };
  const redaction = { method: 'blur', bbox: [0, 0, 40, 30], cell_px: 4, feather_px: 2 };
  it.each([
    ['an unknown method', { method: 'hide' }],
    ['a box that cuts the mask', { bbox: [0, 0, 40, 29] }],
    ['a box outside', { bbox: [0, 0, 41, 30] }],
    ['cells without a size', { cell_px: 0 }],
    ['a huge edge', { feather_px: 1e9 }],
  ])('for a redaction with %s', (_what, changed) => {
    const sound = linesOf(line({ ...FACE, mask, redaction }));
    expect(objectsIn(sound)).toMatchObject([[{ redaction: { cellPx: 4 } }]]);
    const file = linesOf(line({ ...FACE, mask, redaction: { ...redaction, ...changed } }));
    expect(() => readGiven(file, IMAGE)).toThrow(/^Line 1 .*`redaction`/);
  });
});
