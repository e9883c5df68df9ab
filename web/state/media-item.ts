import { isProbablySphere, type Projection } from '#shared/domain/projection';
import type { HdrTransfer } from '#shared/domain/hdr';
import type { Box } from '#shared/domain/boxes';
import type { ObjectClass } from '#shared/catalogue/classes';
import type { FollowedArea } from '#shared/domain/edits/edits';
import { NO_HISTORY, type EditHistory } from './edit-history';
import type { FrameProgress } from './frame-rate';
import { hasExtensionOf, VIDEO_FORMATS } from '#shared/catalogue/formats';
import type { EditableResult } from './wanted-edits';
import {
  hasSameAudio,
  hasSameSphereGuess,
  hasSameKeptMetadata,
  hasSameResult,
  hasSameSettings,
  hasSameVisibleSubject,
  hasSameReasons,
  withReadText,
  statedEdits,
  type Settings,
} from './settings';
import { sameVideoEdits, withKept, withShown, type VideoEdits } from './video-edits';
import type { Decisions } from '#shared/api/contract/schemas-edits';

/** A decision in the contract's words, as the host of a result records it. */
export type ContractDecision = Decisions['decisions'][number];

/** One detected object, in px of the upright image. */
export interface FoundObject {
  readonly id: number;
  readonly objectClass: ObjectClass;
  /** 0..1 */
  readonly score: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Absent on images. */
  readonly seen?: SeenSpan;
}

/** When an object of a video is visible, in seconds. */
export interface SeenSpan {
  readonly firstS: number;
  readonly lastS: number;
  /** Time of the frame that its box belongs to. */
  readonly bestS: number;
  readonly frames: number;
  /** Absent where only the span is known. */
  readonly course?: TrackCourse;
  /** Frames for sample photos of a face, by time; absent if none of them is large and certain enough. */
  readonly samples?: readonly TrackSample[];
}

/** A track in one frame. */
export interface TrackMoment {
  readonly atS: number;
  /** 0..1 */
  readonly score: number;
  /** In px of the upright frame. */
  readonly box: Box;
}

/** A face in one frame, from which a sample photo can be made. */
export interface TrackSample extends TrackMoment {
  /** Boxes of the other faces of the frame, in px. */
  readonly others: readonly Box[];
}

/** When a track is visible because it shows the person who stays visible, in seconds. */
export interface ShownSpan {
  readonly trackId: number;
  readonly fromS: number;
  readonly untilS: number;
}

/** Frames in the middle of a track in which it was not detected. */
export interface TrackGap {
  readonly before: TrackMoment;
  /** Time of the first of these frames. */
  readonly fromS: number;
  readonly after: TrackMoment;
}

/** How a track begins, pauses and ends, to find what a person should check. */
export interface TrackCourse {
  readonly first: TrackMoment;
  readonly last: TrackMoment;
  /** Time of the frame before the first one; absent if the video begins there. */
  readonly beforeS?: number;
  /** Time of the frame after the last one; absent if the video ends there. */
  readonly afterS?: number;
  readonly meanScore: number;
  readonly gaps: readonly TrackGap[];
}

/** Details that only videos have. */
export interface VideoFacts {
  readonly frameCount: number;
  /** Frames that could not be decoded and are missing from the result. */
  readonly framesLost: number;
  /** Whether `framesLost` is an estimate, or more frames may be missing. */
  readonly isLossUncertain: boolean;
  /** Audio tracks in a format that MP4 does not support. */
  readonly audioTracksReencoded: number;
  readonly audioTracksDropped: number;
  /** Transfer of a source in high dynamic range, whose result is in standard range; absent: it was none. */
  readonly toneMapped?: HdrTransfer;
  /** Whether the upload kept the audio, so that edits can remove and restore it; absent in earlier results. */
  readonly hasAudio?: boolean;
  /** The user's edits that the result contains. */
  readonly appliedEdits: VideoEdits;
  /** Time ranges in which the areas of `appliedEdits` were tracked. */
  readonly followed: readonly FollowedArea[];
  /** Absent: nobody is visible because of a person who stays visible. */
  readonly shown?: readonly ShownSpan[];
}

/** Result of an image or video. */
export interface MediaResult {
  readonly taskId: string;
  readonly width: number;
  readonly height: number;
  /** Detected objects. Each object of a video occurs once, as it appears in its best frame. */
  readonly objects: readonly FoundObject[];
  readonly durationS: number;
  /** What the source says of its projection; absent: nothing. */
  readonly projection?: Projection;
  /** False for the method `detect`: there is no anonymised file. */
  readonly hasImage: boolean;
  /** Absent on images. */
  readonly video?: VideoFacts;
  /** Absent if a change of the hidden objects needs a new detection. */
  readonly editable?: EditableResult;
  /** Whether it may not be saved until a reviewer releases it; absent where its host asks for no release. */
  readonly waitsForRelease?: boolean;
  /** Names the edits that it shows: a reviewer releases no others. Absent where it waits for no release. */
  readonly seenTag?: string;
}

/** A result after a change of it: it must be released again. */
export const afterChange = (result: MediaResult): MediaResult =>
  result.waitsForRelease === undefined ? result : { ...result, waitsForRelease: true };

export const MEDIA_STATUSES = ['waiting', 'processing', 'done', 'failed'] as const;
export type MediaStatus = (typeof MEDIA_STATUSES)[number];

/** An image or a video in the list. */
export interface MediaItem {
  readonly id: string;
  readonly file: File;
  readonly status: MediaStatus;
  /** 0..1 */
  readonly progress: number;
  /** Null for images, and for videos that are not started yet. */
  readonly frames: FrameProgress | null;
  /** Whether it is only not released yet. */
  readonly waitsForRelease?: boolean;
  /** One sentence about the failure; null if the reason is unknown. */
  readonly error: string | null;
  /** URL of a thumbnail, once it exists. */
  readonly thumbnailUrl: string | null;
  /** Settings with which the file was or is being processed. */
  readonly settings: Settings | null;
  /** The previous result stays while the file is processed again, so that the screen does not go blank. */
  readonly result: MediaResult | null;
  /** Whether the file is stored for the next visit; null while that is undecided. */
  readonly isStored: boolean | null;
  /** How often the page ended unexpectedly while the file was processed. */
  readonly interruptions: number;
  /** Whether a new detection has reset edits that kept objects visible: all objects are hidden again. */
  readonly haveTracksChanged?: boolean;
  /** Whether the file waits or is processed only to apply edits; `failed`: the edits could not be applied. */
  readonly revision: 'none' | 'wanted' | 'failed';
  /** Edits of objects, drawn areas and muted parts. */
  readonly edits: EditHistory;
  /** Keys of uncertain objects of the result that a person has decided; absent: none. */
  readonly decided?: readonly string[];
  /** What a person decided about objects of the result; absent: nothing. */
  readonly decisions?: readonly ContractDecision[];
  /** Decisions in the report of a task, as text; absent: none. */
  readonly recordedDecisions?: { readonly taskId: string; readonly text: string };
  /** Decisions that could not be recorded, as text; absent: none. */
  readonly unrecordedDecisions?: string;
}

/** Progress of a file. */
export interface WorkProgress {
  /** 0..1 */
  readonly progress: number;
  readonly frames: FrameProgress | null;
  /** Whether it is only not released yet. */
  readonly waitsForRelease?: boolean;
}

export const newItem = ({ id, file }: { readonly id: string; readonly file: File }): MediaItem => ({
  id,
  file,
  status: 'waiting',
  progress: 0,
  frames: null,
  error: null,
  thumbnailUrl: null,
  settings: null,
  result: null,
  isStored: null,
  interruptions: 0,
  revision: 'none',
  edits: NO_HISTORY,
});

/** Results without editing data support no methods per class. */
const isSame = ({ status, result }: MediaItem): typeof hasSameSettings =>
  status === 'done' && !result?.editable ? hasSameResult : hasSameSettings;

/** Whether the result is that of these settings, but for the audio and the metadata of a video. */
const isMadeWith = (item: MediaItem, settings: Settings): boolean => {
  const { settings: own, result } = item;
  if (own === null) return false;
  const isGuessed = result !== null && isProbablySphere(result);
  const read = (all: Settings): Settings => withReadText(all, isVideo(item));
  return isSame(item)(read(own), read(settings)) && (!isGuessed || hasSameSphereGuess(own, settings));
};

/** Whether other settings keep the audio and the metadata of a video as they are. */
export const keepsOutput = (item: MediaItem, settings: Settings): boolean =>
  !isVideo(item) ||
  item.settings === null ||
  (hasSameAudio(item.settings, settings) &&
    hasSameKeptMetadata(item.settings, settings) &&
    hasSameReasons(item.settings, settings));

/** Whether edits can remove and restore the audio of the result, without a new detection. */
const canEditAudio = ({ result }: MediaItem): boolean => result?.video?.hasAudio === true && result.hasImage;

/** Whether edits can give the result of a video other audio and metadata. */
const canEditOutput = (item: MediaItem, before: Settings, settings: Settings): boolean =>
  canEditAudio(item) ||
  (item.result?.video?.hasAudio !== undefined && item.result.hasImage && hasSameAudio(before, settings));

/**
 * Whether the result was made with other settings than the current ones. Other settings do not repair a broken file.
 */
export const isStale = (item: MediaItem, settings: Settings): boolean =>
  item.status !== 'failed' &&
  item.settings !== null &&
  !(isMadeWith(item, settings) && keepsOutput(item, settings));

/** Whether the current settings need a new detection. */
export const needsDetection = (item: MediaItem, settings: Settings): boolean =>
  isStale(item, settings) &&
  !(item.settings !== null && isMadeWith(item, settings) && canEditOutput(item, item.settings, settings));

/** Whether a person may be visible in the result because of the settings. */
export const mayShowPerson = ({ settings }: Pick<MediaItem, 'settings'>): boolean =>
  !hasSameVisibleSubject(settings ?? {}, {});

/** The edits that the result of a video should show. */
export const wantedVideoEdits = (item: MediaItem): VideoEdits => {
  const { edits: history, settings, result } = item;
  const shown = { ...withShown(history.present, settings ?? {}), ...statedEdits(settings ?? {}) };
  const before = result?.video?.appliedEdits.keep_metadata;
  const edits = settings?.keepMetadata || before !== undefined ? withKept(shown, settings ?? {}) : shown;
  return settings?.audio === 'mute' && canEditAudio(item) ? { ...edits, audio: 'mute' } : edits;
};

/** Whether a video's result does not match the edits yet: it must not be saved. */
export const hasUnappliedEdits = (item: MediaItem): boolean => {
  const { result, status } = item;
  return (
    status === 'done' &&
    result?.video !== undefined &&
    result.hasImage &&
    !sameVideoEdits(wantedVideoEdits(item), result.video.appliedEdits)
  );
};

/** Whether a file is probably a video, by type and name: some systems have no type for Matroska. */
export const isNamedLikeVideo = ({ type, name }: File): boolean =>
  type.startsWith('video/') || hasExtensionOf(VIDEO_FORMATS, name);

/** Whether the item is a video: by its result, else by its file type. */
export const isVideo = ({ file, result }: MediaItem): boolean =>
  result ? result.video !== undefined : isNamedLikeVideo(file);

/** Whether the result is that of a panorama all around, in which objects go on at the other edge. */
export const isAround = ({ result, settings }: Pick<MediaItem, 'result' | 'settings'>): boolean =>
  result !== null &&
  (result.projection === 'sphere' || (isProbablySphere(result) && settings?.guessesSpheres !== false));

/** Number of detected objects per class. */
export const countObjects = (
  objects: readonly Pick<FoundObject, 'objectClass'>[],
): ReadonlyMap<ObjectClass, number> => {
  const counts = new Map<ObjectClass, number>();
  for (const { objectClass } of objects) counts.set(objectClass, (counts.get(objectClass) ?? 0) + 1);
  return counts;
};
