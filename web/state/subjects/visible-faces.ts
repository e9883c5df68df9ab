import type { ImageMetadata, VideoMetadata } from '#shared/api/contract/schemas-results';
import { iou, type Box } from '#shared/domain/boxes';
import type { MediaItem, MediaResult } from '../media-item';
import type { AppEvent } from '../pictures';
import { beforeDecision } from '../uncertain/decide';
import { withVideoEdits } from '../video-history';
import { objectsOf } from '../wanted-edits';
import type { Anonymiser } from '../work';

/** A face that is visible in a result, because it is similar to the samples. */
export interface VisibleFace {
  readonly fileId: string;
  /** Similarity to the samples, 0..1. In videos of the frame in which the face is largest. */
  readonly confidence: number;
  /** In px of the upright result. */
  readonly box: Box;
  /** Absent on images. */
  readonly trackId?: number;
  /** Time of the frame of a video, in seconds, estimated by its number; absent on images. */
  readonly atS?: number;
}

/** Minimum overlap of an edited object with a face of the result, whose box has whole pixels. */
const MIN_OVERLAP = 0.5;

type Detection = Pick<ImageMetadata['detections'][number], 'bbox' | 'type_label' | 'shown_confidence'>;

const area = ({ x1, y1, x2, y2 }: Box): number => (x2 - x1) * (y2 - y1);

const faceOf = (
  fileId: string,
  { bbox, type_label, shown_confidence }: Detection,
): VisibleFace | undefined => {
  if (type_label !== 'face' || shown_confidence === undefined) return undefined;
  const [x1, y1, x2, y2] = bbox;
  return { fileId, confidence: shown_confidence, box: { x1, y1, x2, y2 } };
};

const facesOfImage = (fileId: string, { detections }: ImageMetadata): readonly VisibleFace[] =>
  detections.flatMap((detection) => faceOf(fileId, detection) ?? []);

/** The time until which objects of a video are detected: about its duration. In seconds. */
const lastMoment = ({ objects }: MediaResult): number =>
  Math.max(0, ...objects.map(({ seen }) => seen?.lastS ?? 0));

/** Each visible track once, where it is largest. */
const facesOfVideo = (fileId: string, frames: VideoMetadata, durationS: number): readonly VisibleFace[] => {
  const byTrack = new Map<number, VisibleFace>();
  for (const [index, { detections }] of frames.entries()) {
    for (const detection of detections) {
      const face = faceOf(fileId, detection);
      const { track_id: id } = detection;
      if (!face || id === undefined) continue;
      const before = byTrack.get(id);
      if (before && area(before.box) >= area(face.box)) continue;
      byTrack.set(id, { ...face, trackId: id, atS: (durationS * index) / frames.length });
    }
  }
  return [...byTrack.values()];
};

/** All faces that are visible in the result of a file, because they are similar to the samples. */
export const visibleFaces = async (
  { id, result }: Pick<MediaItem, 'id' | 'result'>,
  anonymiser: Pick<Anonymiser, 'metadata'>,
): Promise<readonly VisibleFace[]> => {
  if (!result) return [];
  const metadata: unknown = JSON.parse(await (await anonymiser.metadata(result)).text());
  return result.video
    ? facesOfVideo(id, metadata as VideoMetadata, lastMoment(result))
    : facesOfImage(id, metadata as ImageMetadata);
};

/**
 * The events that hide a visible face: an ordinary edit, which the editors show and undo.
 *
 * @returns undefined if the result cannot be edited
 */
export const hidingEvents = (
  picture: MediaItem,
  { box, trackId }: VisibleFace,
): readonly AppEvent[] | undefined => {
  const { id, videoEdits } = picture;
  if (trackId !== undefined) {
    const decidedTracks = [...(videoEdits.decidedTracks ?? []).filter((one) => one !== trackId), trackId];
    const visibleTracks = videoEdits.visibleTracks.filter((one) => one !== trackId);
    const hidden = withVideoEdits(picture, { ...videoEdits, visibleTracks, decidedTracks });
    return [
      { type: 'decided', id, after: { ...beforeDecision(picture), ...hidden } },
      { type: 'decisions-ended', ids: new Set([id]) },
    ];
  }
  const near = objectsOf(picture)
    .filter(({ origin, objectClass }) => origin === 'found' && objectClass === 'face')
    .map((object) => ({ object, overlap: iou(object.box, box) }))
    .toSorted((a, b) => b.overlap - a.overlap)[0];
  if (!near || near.overlap < MIN_OVERLAP) return undefined;
  return [{ type: 'edited', id, edit: { type: 'changed', id: near.object.id, change: { isOff: false } } }];
};
