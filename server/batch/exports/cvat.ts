import { REPORTED_CLASSES, type ReportedClass } from '#shared/catalogue/classes';
import type { ExportedFrame, ExportedObject, ExportWriter } from './exported-frame';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as the value of an attribute. Characters that XML does not have are replaced. */
const escaped = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD').replaceAll(/[&<>"]/g, (one) => ESCAPES[one]!);

const ATTRIBUTES = [
  ['score', 'text', ''],
  ['hidden', 'checkbox', 'false\ntrue'],
] as const;

const LABELS = REPORTED_CLASSES.map((name) => {
  const attributes = ATTRIBUTES.map(
    ([attribute, type, values]) =>
      `<attribute><name>${attribute}</name><mutable>True</mutable><input_type>${type}</input_type><default_value></default_value><values>${values}</values></attribute>`,
  );
  return `<label><name>${name}</name><attributes>${attributes.join('')}</attributes></label>\n`;
}).join('');

interface Meta {
  readonly name: string;
  readonly frames: number;
  readonly mode: 'annotation' | 'interpolation';
  readonly width: number;
  readonly height: number;
}

const beginning = ({ name, frames, mode, width, height }: Meta): string =>
  `<?xml version="1.0" encoding="utf-8"?>
<annotations>
<version>1.1</version>
<meta><task><name>${escaped(name)}</name><size>${frames}</size><mode>${mode}</mode>
<labels>
${LABELS}</labels>
<original_size><width>${width}</width><height>${height}</height></original_size>
</task></meta>
`;

const END = '</annotations>\n';

/** A box without the name of its element's frame. */
type Box = Pick<ExportedObject, 'bbox' | 'score' | 'hidden'>;

const boxText = ({ bbox: [x1, y1, x2, y2], score, hidden }: Box, more: string): string =>
  `<box ${more} occluded="0" xtl="${x1}" ytl="${y1}" xbr="${x2}" ybr="${y2}" z_order="0"><attribute name="score">${score}</attribute><attribute name="hidden">${hidden}</attribute></box>\n`;

const imageText = ({ file, width, height, objects }: ExportedFrame): string =>
  `<image id="0" name="${escaped(file)}" width="${width}" height="${height}">
${objects.map((object) => boxText(object, `label="${object.class}" source="auto"`)).join('')}</image>
`;

/** The boxes of an object in a video, as numbers: a video has hours of them. */
interface Track {
  readonly class: ReportedClass;
  /** Frame, corners, score, and 1 if it is hidden, for one box after another. */
  readonly boxes: number[];
}
const NUMBERS_OF_BOX = 7;

/** A piece of text is held in memory. */
const BOXES_PER_PIECE = 1_000;

const boxAt = ({ boxes }: Track, at: number): Box & { readonly frame: number } => {
  const [frame, x1, y1, x2, y2, score, hidden] = boxes.slice(at, at + NUMBERS_OF_BOX) as [
    ...[number, number, number, number, number, number, number],
  ];
  return { frame, bbox: [x1, y1, x2, y2], score, hidden: hidden === 1 };
};

const frameText = (box: Box, frame: number, isOutside: boolean): string =>
  boxText(box, `frame="${frame}" outside="${isOutside ? 1 : 0}" keyframe="1"`);

/** Behind a gap and behind its end an object is outside: otherwise CVAT draws it between its boxes, and to the end. */
function* trackText(track: Track, id: number, frames: number): Generator<string> {
  yield `<track id="${id}" label="${track.class}" source="auto">\n`;
  const { length } = track.boxes;
  let lines: string[] = [];
  for (let at = 0; at < length; at += NUMBERS_OF_BOX) {
    const { frame, ...box } = boxAt(track, at);
    const next = at + NUMBERS_OF_BOX < length ? track.boxes[at + NUMBERS_OF_BOX]! : frames;
    lines.push(frameText(box, frame, false));
    if (next > frame + 1 || (next === frames && frame + 1 < frames)) {
      lines.push(frameText(box, frame + 1, true));
    }
    if (lines.length >= BOXES_PER_PIECE) {
      yield lines.join('');
      lines = [];
    }
  }
  yield `${lines.join('')}</track>\n`;
}

/** The boxes of a video by their tracks; an object without one has a track of one frame. */
const createTracks = () => {
  const tracked = new Map<number, Track>();
  const others: Track[] = [];
  const trackOf = (object: ExportedObject): Track => {
    const known = object.track === undefined ? undefined : tracked.get(object.track);
    if (known) return known;
    const track = { class: object.class, boxes: [] };
    if (object.track === undefined) others.push(track);
    else tracked.set(object.track, track);
    return track;
  };
  return {
    add: (frame: number, object: ExportedObject): void => {
      trackOf(object).boxes.push(frame, ...object.bbox, object.score, object.hidden ? 1 : 0);
    },
    all: (): readonly Track[] => [...tracked.values(), ...others],
  };
};

/** A video of which no frame could be decoded. */
const WITHOUT_FRAMES = { file: '', width: 0, height: 0, frame: undefined } as const;

/**
 * One file of CVAT 1.1 for each image or video: boxes of an image, tracks of a video.
 *
 * @see https://docs.cvat.ai/docs/manual/advanced/xml_format/
 */
export const createCvatWriter = (): ExportWriter => {
  const tracks = createTracks();
  let last: ExportedFrame | undefined;
  return {
    add: (frame) => {
      last = frame;
      for (const object of frame.objects) {
        if (frame.frame !== undefined) tracks.add(frame.frame, object);
      }
      return '';
    },
    *end() {
      const { file: name, width, height, frame } = last ?? WITHOUT_FRAMES;
      if (last && frame === undefined) {
        yield beginning({ name, frames: 1, mode: 'annotation', width, height }) + imageText(last) + END;
        return;
      }
      const frames = (frame ?? -1) + 1;
      yield beginning({ name, frames, mode: 'interpolation', width, height });
      for (const [id, track] of tracks.all().entries()) yield* trackText(track, id, frames);
      yield END;
    },
  };
};
