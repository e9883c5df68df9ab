import type { ExportedFrame, ExportedObject, ExportWriter } from './exported-frame';

/** The version of LabelMe whose form it is. */
const VERSION = '6.3.1';

const shapeOf = ({ class: label, score, bbox: [x1, y1, x2, y2], hidden }: ExportedObject): object => ({
  label,
  points: [
    [x1, y1],
    [x2, y2],
  ],
  group_id: null,
  description: `score ${score}`,
  shape_type: 'rectangle',
  flags: { hidden },
  mask: null,
});

const fileOf = ({ file, width, height, objects }: ExportedFrame): object => ({
  version: VERSION,
  flags: {},
  shapes: objects.map(shapeOf),
  imagePath: file,
  imageData: null,
  imageHeight: height,
  imageWidth: width,
});

/** One file of LabelMe for each image: its boxes as rectangles. LabelMe has no form for videos. */
export const createLabelmeWriter = (): ExportWriter => ({
  add: (frame) => `${JSON.stringify(fileOf(frame), null, 2)}\n`,
  end: () => [],
});
