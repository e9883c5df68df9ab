import type { ObjectClass } from '#shared/domain/object-class';
import type { FollowedBox, VideoEdits } from '#shared/domain/video-edits';
import { NO_HISTORY, type EditHistory } from './edit-history';
import type { FrameProgress } from './frame-rate';
import { isNamedLikeVideo } from './media-kind';
import type { Revisable } from './wanted-edits';
import { sameSearch, sameSettings, type Settings } from './settings';
import { NO_VIDEO_EDITS, sameVideoEdits } from './video-edits';

/** One object found, in px of the upright picture. */
export interface FoundObject {
  readonly id: number;
  readonly objectClass: ObjectClass;
  /** 0..1 */
  readonly score: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Absent on pictures. */
  readonly seen?: SeenSpan;
}

/** When an object of a video is seen, in seconds. */
export interface SeenSpan {
  readonly firstS: number;
  readonly lastS: number;
  /** Where its box is from. */
  readonly bestS: number;
  readonly frames: number;
}

/** What only videos have. */
export interface VideoFacts {
  readonly frameCount: number;
  /** Could not be decoded, and are left out. */
  readonly framesLost: number;
  /** MP4 files cannot hold them. */
  readonly audioTracksReencoded: number;
  readonly audioTracksDropped: number;
  /** What a person wanted otherwise, as far as it is in the result. */
  readonly made: VideoEdits;
  /** What became of the boxes that were drawn. */
  readonly followed: readonly FollowedBox[];
}

/** What became of a picture or of a video. */
export interface MediaResult {
  readonly taskId: string;
  readonly width: number;
  readonly height: number;
  /** Of a video each object once, as it was where it was seen best. */
  readonly objects: readonly FoundObject[];
  readonly durationS: number;
  /** False where objects were only looked for: there is no new picture then. */
  readonly hasPicture: boolean;
  /** Absent on pictures. */
  readonly video?: VideoFacts;
  /** Absent where objects cannot be hidden otherwise without a new search. */
  readonly revisable?: Revisable;
}

export const MEDIA_STATUSES = ['waiting', 'processing', 'done', 'failed'] as const;
export type MediaStatus = (typeof MEDIA_STATUSES)[number];

/** A picture, or a video. */
export interface MediaItem {
  readonly id: string;
  readonly file: File;
  readonly status: MediaStatus;
  /** 0..1 */
  readonly progress: number;
  /** Null on pictures, and on videos that have not been begun. */
  readonly frames: FrameProgress | null;
  /** One sentence about a failed picture; null where the reason is not known. */
  readonly error: string | null;
  /** Address of a small copy, once there is one. */
  readonly thumbnailUrl: string | null;
  /** What it was, or is being, processed with. */
  readonly settings: Settings | null;
  /** Stays while the picture is processed again, so that the screen does not go blank. */
  readonly result: MediaResult | null;
  /** Whether the page finds the file again when it is opened the next time; null: not yet. */
  readonly isStored: boolean | null;
  /** How often the page went down while it was in work. */
  readonly interruptions: number;
  /** What a person wants otherwise in a video; nothing on pictures. */
  readonly videoEdits: VideoEdits;
  /** Whether it was searched anew while somebody was to be seen: all are hidden again. */
  readonly haveTracksChanged?: boolean;
  /** Whether it waits, or is worked on, for the sake of these alone; `failed`: they could not be applied. */
  readonly revision: 'none' | 'wanted' | 'failed';
  /** What was changed about its objects, and drawn. */
  readonly edits: EditHistory;
}

/** How far the work on one of them is. */
export interface WorkProgress {
  /** 0..1 */
  readonly progress: number;
  readonly frames: FrameProgress | null;
}

export const newPicture = ({ id, file }: { readonly id: string; readonly file: File }): MediaItem => ({
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
  videoEdits: NO_VIDEO_EDITS,
  revision: 'none',
  edits: NO_HISTORY,
});

/** What cannot be changed after its search knows no methods of single classes. */
const isSame = ({ status, result }: MediaItem): typeof sameSettings =>
  status === 'done' && !result?.revisable ? sameSearch : sameSettings;

/** Whether the picture was made with other settings than those chosen now. Other settings mend no broken file. */
export const isStale = (picture: MediaItem, settings: Settings): boolean =>
  picture.status !== 'failed' && picture.settings !== null && !isSame(picture)(picture.settings, settings);

/** Whether a video's result is not yet what is wanted: it must not be given to anybody. */
export const hasUnappliedEdits = ({ videoEdits, result, status }: MediaItem): boolean =>
  status === 'done' &&
  result?.video !== undefined &&
  result.hasPicture &&
  !sameVideoEdits(videoEdits, result.video.made);

/** By what it turned out to be, else by its looks. */
export const isVideo = ({ file, result }: MediaItem): boolean =>
  result ? result.video !== undefined : isNamedLikeVideo(file);

/** How many objects of each class were found. */
export const countObjects = (
  objects: readonly Pick<FoundObject, 'objectClass'>[],
): ReadonlyMap<ObjectClass, number> => {
  const counts = new Map<ObjectClass, number>();
  for (const { objectClass } of objects) counts.set(objectClass, (counts.get(objectClass) ?? 0) + 1);
  return counts;
};
