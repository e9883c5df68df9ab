import type { ObjectClass, ReportedClass } from '../catalogue/classes';
import type { Method } from '../catalogue/methods';
import { boxArea, clipBox, outerPixels, toBbox, type Box } from './boxes';
import type { RecordedDecision } from './decision';
import {
  type AreaEdit,
  type Edits,
  type FollowedArea,
  type ObjectEdit,
  hidingOf,
  drawnShapeBounds,
  mutedPartOf,
} from './edits/edits';
import { boundsOf, cornersIn, type HiddenArea } from './hidden-areas';
import type { ImageOptions } from './options';
import { US_PER_SECOND, type FrameReport, type ImageReport, type ReportedFrameDetection } from './plan';
import type { Size } from './raster';
import type { ReasonCode } from './reasons';
import { statedReasons } from './stated-reasons';

/** What was removed or hidden: an object of a class, or a part of the audio. */
export interface Redaction {
  /** In frames, both included; absent for images and audio. */
  readonly frames?: readonly [first: number, last: number];
  /** In µs, when its first and its last frame begin, or a muted part begins and ends; absent for images. */
  readonly timesUs?: readonly [start: number, end: number];
  readonly trackId?: number;
  readonly objectClass: ReportedClass | 'audio';
  readonly method: Method | 'mute' | 'bleep';
  readonly reason?: ReasonCode;
  /** Whether a person decided it; otherwise a detector did. */
  readonly isDecided: boolean;
  readonly reviewer?: string;
  /** 0..1; absent where no detector found it. */
  readonly score?: number;
  /** Share of the frame that its box covers, 0..1: the largest of all frames. */
  readonly share?: number;
}

/** What the rows of a file are made from. */
export interface RedactedFile {
  readonly options: ImageOptions;
  /** In force. */
  readonly edits: Edits;
  readonly decisions: readonly RecordedDecision[];
}

type Facts = Pick<Redaction, 'method' | 'reason' | 'isDecided' | 'reviewer'>;

/** Finds what edits, decisions and classes say of objects. */
const createFacts = ({ options, edits, decisions }: RedactedFile) => {
  const { codes, ofClasses } = statedReasons(edits, options);
  const hiding = hidingOf(edits, options);
  const general = hiding.method;
  const byCode = new Map(codes.map((one) => [one.code, one]));
  const objects = new Map(edits.objects?.map((edit) => [edit.id, edit]));
  const decided = new Map(
    decisions.flatMap((one) =>
      one.id !== undefined && one.decision === 'hidden' ? [[one.id, one] as const] : [],
    ),
  );
  const factsOf = (
    objectClass: ObjectClass,
    edit: Pick<ObjectEdit | AreaEdit, 'method' | 'reason'> | undefined,
    decision?: RecordedDecision,
  ): Facts => {
    const { method: own, reason: code = ofClasses[objectClass] } = edit ?? {};
    const method = own ?? hiding.methods[objectClass];
    const reason = code === undefined ? undefined : byCode.get(code);
    const reviewer = (edit && edits.reviewer) ?? decision?.reviewer;
    return {
      method: method ?? general,
      ...(reason && { reason }),
      isDecided: edit !== undefined || decision !== undefined,
      ...(reviewer !== undefined && { reviewer }),
    };
  };
  return {
    /** @param id as edits refer to it; below 0 for a drawn area; undefined: edits cannot refer to it */
    ofObject: (objectClass: ObjectClass, id: number | undefined): Facts => {
      if (id === undefined) return factsOf(objectClass, undefined);
      if (id < 0) return factsOf(objectClass, edits.areas?.[-1 - id]);
      return factsOf(objectClass, objects.get(id), decided.get(id));
    },
    /** @param area that the request or edits hide always */
    ofHidden: (area?: Pick<HiddenArea, 'method' | 'reason'>): Facts => {
      const { method = general, reason: code } = area ?? {};
      const reason = code === undefined ? undefined : byCode.get(code);
      return { method, ...(reason && { reason }), isDecided: true };
    },
    ofArea: (area: AreaEdit): Facts => factsOf(area.type_label, area),
  };
};

/** Millionths are enough for a pixel of most frames, and are written alike everywhere. */
const SHARE_STEPS = 1e6;
const shareOf = (box: Box, { width, height }: Size): number =>
  Math.min(1, Math.round((boxArea(box) / (width * height)) * SHARE_STEPS) / SHARE_STEPS);

/** The areas that are always hidden in a file. */
const hidesIn = ({ edits, options }: RedactedFile): readonly HiddenArea[] =>
  edits.hides ?? options.hides ?? [];

/** The redactions of an image, in the order of its metadata. */
export const imageRedactions = (report: ImageReport, file: RedactedFile): readonly Redaction[] => {
  const facts = createFacts(file);
  const hides = hidesIn(file);
  const areas = report.detections.filter(({ objectClass }) => objectClass === 'area');
  return report.detections
    .filter(({ isAnonymised }) => isAnonymised)
    .map((one) => {
      const { id, object = id, objectClass, score, box } = one;
      const share = shareOf(box, report);
      if (objectClass === 'area') {
        return { objectClass, ...facts.ofHidden(hides[areas.indexOf(one)]), share };
      }
      const own = facts.ofObject(objectClass, object);
      return { objectClass, ...own, ...(object >= 0 && { score }), share };
    });
};

/** A run of frames in which an object is hidden. */
type Run = Redaction & Required<Pick<Redaction, 'frames' | 'timesUs' | 'share'>>;

/** Gathers the redactions of a video, frame by frame. Memory grows with the number of rows, not with that of frames. */
interface RedactionRuns {
  add(frame: FrameReport): void;
  end(): readonly Redaction[];
}

const extended = (before: Run, next: Omit<Run, keyof Facts>): Run => ({
  ...before,
  frames: [before.frames[0], next.frames[1]],
  timesUs: [before.timesUs[0], next.timesUs[1]],
  ...(next.score !== undefined && { score: Math.max(before.score ?? 0, next.score) }),
  share: Math.max(before.share, next.share),
});

const startOf = ({ timesUs }: Redaction): number => timesUs?.[0] ?? 0;

/** A drawn area of a video, with the run in which it was hidden. */
interface AreaRun {
  readonly area: AreaEdit;
  readonly followed: FollowedArea;
}

const areaRuns = ({ areas = [] }: Edits, followed: readonly FollowedArea[]): readonly AreaRun[] =>
  followed.flatMap((one) => {
    const area = areas[one.area];
    return area && area.hidden !== false ? [{ area, followed: one }] : [];
  });

/** Finds the area of an object of a frame: there, areas that are always hidden have no numbers of their own. */
const createHiddenPlaces = (areas: readonly HiddenArea[]) => {
  let byBox: Map<string, HiddenArea[]> | undefined;
  const nameOf = (box: Box): string => toBbox(box).join();
  const index = (size: Size): Map<string, HiddenArea[]> => {
    const found = new Map<string, HiddenArea[]>();
    for (const area of areas) {
      const box = clipBox(boundsOf(cornersIn(area, size)), size.width, size.height);
      const name = nameOf(outerPixels(box));
      found.set(name, [...(found.get(name) ?? []), area]);
    }
    return found;
  };
  return {
    areas,
    at: (box: Box, frame: FrameReport): HiddenArea | undefined => {
      byBox ??= index(frame);
      const there = byBox.get(nameOf(box)) ?? [];
      const seconds = frame.timestampUs / US_PER_SECOND;
      const now = there.find(({ start = 0, end = Infinity }) => seconds >= start && seconds < end);
      return now ?? there[0];
    },
  };
};

const mutedParts = ({ edits, options }: RedactedFile, isMuted: boolean): readonly Redaction[] => {
  const { mute = [], audio, reviewer } = edits;
  const whole = { objectClass: 'audio', method: 'mute', isDecided: true } as const;
  if (audio === 'mute' || isMuted) return [{ ...whole, isDecided: audio === 'mute' }];
  const { codes } = statedReasons(edits, options);
  return mute.map((range) => {
    const { start, end, as, reason: code } = mutedPartOf(range);
    const reason = codes.find((one) => one.code === code);
    return {
      ...{
        ...whole,
        ...(as === 'bleep' && { method: as }),
        ...(reason && { reason }),
        ...(reviewer !== undefined && { reviewer }),
      },
      timesUs: [Math.round(start * US_PER_SECOND), Math.round(end * US_PER_SECOND)],
    };
  });
};

/**
 * Starts the rows of a video: one for each run of frames in which a track is hidden. Objects without a track cannot be
 * told apart: all of a class have one row.
 *
 * @param followed how drawn areas were followed
 * @param isMuted whether the upload removes all audio
 */
export const createRedactionRuns = (
  file: RedactedFile,
  followed: readonly FollowedArea[],
  isMuted: boolean,
): RedactionRuns => {
  const facts = createFacts(file);
  const areas = areaRuns(file.edits, followed);
  const hides = createHiddenPlaces(hidesIn(file));
  const ended: Redaction[] = [];
  let open = new Map<string, Run>();
  return {
    add: (frame) => {
      const { index, timestampUs } = frame;
      const at = { frames: [index, index], timesUs: [timestampUs, timestampUs] } as const;
      const now = new Map<string, Run>();
      const put = (key: string, next: Omit<Run, keyof Facts>, factsOf: () => Facts): void => {
        const before = now.get(key) ?? open.get(key);
        now.set(key, before ? extended(before, next) : { ...next, ...factsOf() });
      };
      const hidden = frame.detections.filter(({ isAnonymised }) => isAnonymised);
      for (const { trackId, objectClass, score, box } of hidden as readonly ReportedFrameDetection[]) {
        const next = { ...at, objectClass, share: shareOf(box, frame) };
        if (objectClass === 'area') {
          if (file.edits.hides) continue;
          const area = hides.at(box, frame);
          put(`hidden ${hides.areas.indexOf(area as HiddenArea)}`, next, () => facts.ofHidden(area));
        } else if (trackId === undefined) {
          put(objectClass, { ...next, score }, () => facts.ofObject(objectClass, undefined));
        } else {
          put(`${trackId} ${objectClass}`, { ...next, score, trackId }, () =>
            facts.ofObject(objectClass, trackId),
          );
        }
      }
      const seconds = timestampUs / US_PER_SECOND;
      // Frames are those of the first run, which hid the areas of the upload.
      file.edits.hides?.forEach((area, i) => {
        const { start = 0, end = Infinity } = area;
        if (seconds < start || seconds >= end) return;
        const box = clipBox(boundsOf(cornersIn(area, frame)), frame.width, frame.height);
        const next = { ...at, objectClass: 'area', share: shareOf(box, frame) } as const;
        put(`hidden ${i}`, next, () => facts.ofHidden(area));
      });
      areas.forEach(({ area, followed: { from, until } }, i) => {
        if (seconds < from || seconds >= until) return;
        const next = { ...at, objectClass: area.type_label, share: shareOf(drawnShapeBounds(area), frame) };
        put(`area ${i}`, next, () => facts.ofArea(area));
      });
      for (const [key, run] of open) if (!now.has(key)) ended.push(run);
      open = now;
    },
    end: () =>
      [...ended, ...open.values(), ...mutedParts(file, isMuted)].sort((a, b) => startOf(a) - startOf(b)),
  };
};
