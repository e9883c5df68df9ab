import { type Bbox, type Box, boxHeight, boxWidth, type ImagePoint, toBbox, toBox } from '../boxes';
import type { Detection } from '../detection';
import type { ObjectClass } from '../../catalogue/classes';
import type { HidingMethod, Method } from '../../catalogue/methods';
import type { HiddenArea } from '../hidden-areas';
import type { ClassMethods, ClassThresholds } from '../options';
import type { CaseDetails, ClassReasons, ReasonCode } from '../reasons';

/** A part of a video whose sound is removed, in seconds. */
export interface MutedPart {
  readonly start: number;
  readonly end: number;
  /** What is heard instead; absent: silence. */
  readonly as?: 'silence' | 'bleep';
  /** Why it is removed: a code. */
  readonly reason?: string;
}

/** Such a part in the words of the contract: silence without a reason is a pair. */
export type MutedRange = readonly [start: number, end: number] | MutedPart;

/** @returns silence without its name */
export const mutedPartOf = (range: MutedRange): MutedPart => {
  if (!('start' in range)) return { start: range[0], end: range[1] };
  const { as, ...silent } = range;
  return as === 'bleep' ? range : silent;
};

export const mutedRangeOf = (part: MutedPart): MutedRange =>
  part.as === undefined && part.reason === undefined ? [part.start, part.end] : part;

/** Whether two parts differ in nothing but their times. */
export const isSameKind = (a: MutedPart, b: MutedPart): boolean => a.as === b.as && a.reason === b.reason;

/** The same parts, sorted, and those of a kind joined where they touch or overlap. */
export const joinMuted = (parts: readonly MutedPart[]): readonly MutedPart[] => {
  const joined: MutedPart[] = [];
  for (const part of parts.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && part.start <= last.end && isSameKind(last, part)) {
      joined[joined.length - 1] = { ...last, end: Math.max(last.end, part.end) };
    } else joined.push(part);
  }
  return joined;
};

/** A detection with the number by which edits refer to it. */
export interface NumberedDetection {
  readonly id: number;
  readonly detection: Detection;
}

/** A brush, drawn along points. */
export interface Stroke {
  readonly shape: 'stroke';
  readonly points: readonly ImagePoint[];
  /** In px. */
  readonly radius: number;
}

/** What a person drew, in px of the upright image. */
export type DrawnShape = { readonly shape: 'box' | 'ellipse'; readonly bbox: Bbox } | Stroke;

/** A part of a video. */
export interface EditedPart {
  /** In seconds; absent: the beginning of the video. */
  readonly start?: number;
  /** In seconds, exclusive; absent: the end of the video. */
  readonly end?: number;
  /** First frame, from which a request that names frames gets its `start`. */
  readonly from?: number;
  /** Last frame, inclusive. */
  readonly to?: number;
}

/** A change to one detected object, or to one track of a video. */
export interface ObjectEdit extends EditedPart {
  readonly id: number;
  /** Absent: it is hidden. */
  readonly hidden?: boolean;
  /** A false detection. */
  readonly deleted?: boolean;
  /** Its corrected place; in a video that in one frame, from which it is moved and stretched like the track. */
  readonly bbox?: Bbox;
  /** In seconds: a time at which the frame of `bbox` is shown. */
  readonly at?: number;
  /** That frame, from which a request that names frames gets its `at`. */
  readonly frame?: number;
  /** Where the track was found in that frame. */
  readonly found?: Bbox;
  readonly type_label?: ObjectClass;
  readonly method?: HidingMethod;
  /** Why it is hidden: a code; absent: as its class. */
  readonly reason?: string;
}

/** An area that a person drew. It counts as an object of its class with full score. */
export type AreaEdit = DrawnShape &
  EditedPart & {
    readonly type_label: ObjectClass;
    readonly method?: HidingMethod;
    readonly hidden?: boolean;
    /** As of an object. */
    readonly reason?: string;
    /** In seconds: a time at which the frame is shown on which it was drawn, and from which it is followed. */
    readonly at?: number;
    /** That frame, from which a request that names frames gets its `at`. */
    readonly frame?: number;
  };

/** An area without changes, in px of the upright image. */
export interface IgnoredArea {
  readonly topLeftX: number;
  readonly topLeftY: number;
  readonly width: number;
  readonly height: number;
}

/** A person's changes to a result, in the words of the contract. Page, stored files and engine have no other form. */
export interface Edits extends Partial<Omit<Hiding, 'thresholds'>> {
  readonly thresholds?: Partial<ClassThresholds>;
  readonly objects?: readonly ObjectEdit[];
  readonly areas?: readonly AreaEdit[];
  /** Instead of those of the upload. */
  readonly ignores?: readonly IgnoredArea[];
  /** Instead of those of the upload. */
  readonly hides?: readonly HiddenArea[];
  /** Whether some fields of the metadata are kept; if absent, as uploaded, or else the service's setting applies. */
  readonly keep_metadata?: boolean;
  /** Parts without sound, in seconds, sorted and disjoint. */
  readonly mute?: readonly MutedRange[];
  /** The result has no audio; if absent, as uploaded. */
  readonly audio?: 'mute';
  /** The person who decided the edits. */
  readonly reviewer?: string;
  /** Id of the subject whose face stays visible, or `NO_SUBJECT`; if absent, as uploaded. */
  readonly show?: string;
  /** Reasons that these edits can name; if absent, as uploaded. */
  readonly reasons?: readonly ReasonCode[];
  /** Reasons of all classes; if absent, as uploaded. */
  readonly class_reasons?: ClassReasons;
  /** If absent, as uploaded. */
  readonly case?: CaseDetails;
}

/** How a drawn area was followed, in seconds. */
export interface FollowedArea {
  /** Index of the area. */
  readonly area: number;
  /** It is hidden from this time on … */
  readonly from: number;
  /** … was last recognised at this time … */
  readonly seen_until: number;
  /** … and is hidden until this time. */
  readonly until: number;
}

/** How and which detected objects are hidden. */
export interface Hiding {
  readonly method: Method;
  /** Methods of single classes, instead of `method`. */
  readonly methods?: ClassMethods;
  readonly classes: readonly ObjectClass[];
  /** Minimum score, 0..1, at which an object of the class is hidden. */
  readonly thresholds: ClassThresholds;
}

/** How objects are hidden after edits. @param uploaded what applies where the edits say nothing */
export const hidingOf = (edits: Edits, uploaded: Hiding): Required<Hiding> => ({
  method: edits.method ?? uploaded.method,
  methods: { ...uploaded.methods, ...edits.methods },
  classes: edits.classes ?? uploaded.classes,
  thresholds: { ...uploaded.thresholds, ...edits.thresholds },
});

/** Whether edits say how objects are hidden. */
export const changesHiding = ({ method, methods, classes, thresholds }: Edits): boolean =>
  (method ?? methods ?? classes ?? thresholds) !== undefined;

export const NO_EDITS: Edits = { objects: [], areas: [] };

const withoutTimes = <Entry extends ObjectEdit | AreaEdit>(timed: Entry): Entry => {
  const { found: _added, ...entry } = timed as Entry & ObjectEdit;
  if (!('from' in entry || 'to' in entry || 'frame' in entry)) return entry as unknown as Entry;
  const { start: _start, end: _end, at: _at, ...sent } = entry;
  return sent as unknown as Entry;
};

/** Edits as a client sent them: those that name frames have no times. */
export const withoutFrameTimes = (edits: Edits): Edits => ({
  ...edits,
  objects: (edits.objects ?? []).map(withoutTimes),
  areas: (edits.areas ?? []).map(withoutTimes),
});

/** Whether edits show an object: with a range, only there; a hidden one with a range is visible everywhere else. */
export const isVisible = ({ hidden = true, deleted = false }: ObjectEdit): boolean => !hidden || deleted;

/** Whether an edit says how an object is hidden. */
export const changesRendering = ({ method, bbox, type_label }: ObjectEdit): boolean =>
  (method ?? bbox ?? type_label) !== undefined;

/** Whether a range limits how a track is hidden, and not the frames in which it is hidden. */
export const changesOnlyRendering = (edit: ObjectEdit): boolean =>
  changesRendering(edit) && edit.hidden === undefined && edit.deleted === undefined;

/** The box of a track after an edit of its place. @param box where it was found */
export const placedBox = (box: Box, { bbox, found }: Pick<ObjectEdit, 'bbox' | 'found'>): Box => {
  if (!bbox || !found) return box;
  const map = mapBetween(toBox(found), box);
  const [[x1, y1], [x2, y2]] = [map([bbox[0], bbox[1]]), map([bbox[2], bbox[3]])];
  return { x1, y1, x2, y2 };
};

/** The box around a stroke, with its radius. */
export const strokeBounds = ({ points, radius }: Omit<Stroke, 'shape'>): Box => {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return {
    x1: Math.min(...xs) - radius,
    y1: Math.min(...ys) - radius,
    x2: Math.max(...xs) + radius,
    y2: Math.max(...ys) + radius,
  };
};

/** The box around a drawn shape. */
export const drawnShapeBounds = (outline: DrawnShape): Box =>
  outline.shape === 'stroke' ? strokeBounds(outline) : toBox(outline.bbox);

/** Maps points of one box to the same relative points of another. A side of length 0 is moved and not scaled. */
export const mapBetween = (from: Box, to: Box): ((place: ImagePoint) => ImagePoint) => {
  const scaleX = boxWidth(from) > 0 ? boxWidth(to) / boxWidth(from) : 1;
  const scaleY = boxHeight(from) > 0 ? boxHeight(to) / boxHeight(from) : 1;
  return ([x, y]) => [to.x1 + (x - from.x1) * scaleX, to.y1 + (y - from.y1) * scaleY];
};

const shrink = ({ x1, y1, x2, y2 }: Box, by: number): Box => ({
  x1: Math.min(x1 + by, (x1 + x2) / 2),
  y1: Math.min(y1 + by, (y1 + y2) / 2),
  x2: Math.max(x2 - by, (x1 + x2) / 2),
  y2: Math.max(y2 - by, (y1 + y2) / 2),
});

/** A drawn shape, moved and stretched to fill another box; a brush keeps its radius. */
export const moveDrawnShape = <Shape extends DrawnShape>(outline: Shape, to: Box): Shape => {
  if (outline.shape !== 'stroke') return { ...outline, bbox: toBbox(to) };
  const { radius } = outline;
  const map = mapBetween(shrink(strokeBounds(outline), radius), shrink(to, radius));
  return { ...outline, points: outline.points.map(map) };
};

export const ignoredArea = ({ x1, y1, x2, y2 }: Box): IgnoredArea => ({
  topLeftX: x1,
  topLeftY: y1,
  width: x2 - x1,
  height: y2 - y1,
});

export const ignoredBox = ({ topLeftX, topLeftY, width, height }: IgnoredArea): Box => ({
  x1: topLeftX,
  y1: topLeftY,
  x2: topLeftX + width,
  y2: topLeftY + height,
});

/** The whole pixels that lie completely in an area: only they are left unchanged. */
export const wholePixels = (area: IgnoredArea): IgnoredArea => {
  const { x1, y1, x2, y2 } = ignoredBox(area);
  const [left, top] = [Math.ceil(x1), Math.ceil(y1)];
  return {
    topLeftX: left,
    topLeftY: top,
    width: Math.max(0, Math.floor(x2) - left),
    height: Math.max(0, Math.floor(y2) - top),
  };
};
