import { codesOf, REPORTED_CLASSES, type ReportedClass } from '#shared/catalogue/classes';
import type { ExportedFrame, ExportedObject, ExportWriter } from './exported-frame';

/** Categories have the numbers of the classes in metadata. */
const categoryOf = (name: ReportedClass): number => codesOf(name).typeCode;
const CATEGORIES = REPORTED_CLASSES.map((name) => ({ id: categoryOf(name), name, supercategory: 'object' }));

const annotationOf = (
  { bbox: [x1, y1, x2, y2], mask, ...object }: ExportedObject,
  id: number,
  image: number,
): object => ({
  id,
  image_id: image,
  category_id: categoryOf(object.class),
  bbox: [x1, y1, x2 - x1, y2 - y1],
  area: (x2 - x1) * (y2 - y1),
  iscrowd: 0,
  ...(mask && { segmentation: mask }),
  score: object.score,
  ...(object.track !== undefined && { track_id: object.track }),
  attributes: { hidden: object.hidden },
  ...(object.redaction && { redaction: object.redaction }),
});

/** A frame has the name of its video and its number, as these are not files of their own. */
const imageOf = ({ file, frame, time, topic, width, height }: ExportedFrame, id: number): object => ({
  id,
  file_name: frame === undefined ? file : `${file}#${frame}`,
  ...{ width, height },
  ...(frame !== undefined && { video_id: 1, frame_id: frame, time }),
  ...(topic !== undefined && { topic }),
});

/**
 * One file of COCO for each image or video; frames of a video are its images, with `video_id`, `frame_id` and
 * `track_id` as in data sets for tracking. Annotations are written as they come; only lines about frames are kept.
 */
export const createCocoWriter = (): ExportWriter => {
  const images: string[] = [];
  let video: string | undefined;
  let annotations = 0;
  return {
    add: (frame) => {
      if (frame.frame !== undefined) video = frame.file;
      const image = images.length + 1;
      const beginning =
        images.length === 0 ? `{"categories":${JSON.stringify(CATEGORIES)},\n"annotations":[\n` : '';
      images.push(JSON.stringify(imageOf(frame, image)));
      const lines = frame.objects.map((object) => {
        annotations += 1;
        return `${annotations > 1 ? ',\n' : ''}${JSON.stringify(annotationOf(object, annotations, image))}`;
      });
      return beginning + lines.join('');
    },
    end: () => {
      const beginning =
        images.length === 0 ? `{"categories":${JSON.stringify(CATEGORIES)},\n"annotations":[` : '';
      const videos = video === undefined ? '' : `,\n"videos":[${JSON.stringify({ id: 1, name: video })}]`;
      return [`${beginning}],\n"images":[\n${images.join(',\n')}]${videos}}\n`];
    },
  };
};
