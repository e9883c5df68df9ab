import type { FrameMetadata } from '#shared/api/contract/schemas-results';
import { editOf } from '../edit-history';
import type { ShownSpan } from '../media-item';
import { showsTrack, type VideoEdits } from '../video-edits';

/** Whether a user decides in which frames the track is visible: the person who stays visible has no effect on it. */
const isByHand = (edits: VideoEdits, id: number): boolean => {
  const edit = editOf(edits, id);
  return edit !== undefined && showsTrack(edit);
};

/** Records when tracks are visible because of the person who stays visible: the face, and the body that belongs to it. */
export interface SpanGatherer {
  /** @param frames with timestamps, in order */
  add(frames: readonly FrameMetadata[]): void;
  /** By track and time. */
  spans(): readonly ShownSpan[];
}

/** @param edits that the result shows */
export const createSpanGatherer = (edits: VideoEdits): SpanGatherer => {
  const ended: ShownSpan[] = [];
  const open = new Map<number, number>();
  let [lastS, frameS] = [0, 0];
  const end = (trackId: number, untilS: number): void => {
    ended.push({ trackId, fromS: open.get(trackId) ?? 0, untilS });
    open.delete(trackId);
  };
  const addFrame = ({ detections, timestamp: atS = 0 }: FrameMetadata): void => {
    const visible = new Set(
      detections.flatMap(({ track_id: id, is_anonymised: isHidden }) =>
        id === undefined || isHidden || isByHand(edits, id) ? [] : [id],
      ),
    );
    for (const id of [...open.keys()]) if (!visible.has(id)) end(id, atS);
    for (const id of visible) if (!open.has(id)) open.set(id, atS);
    [lastS, frameS] = [atS, atS - lastS];
  };
  return {
    add: (frames) => frames.forEach(addFrame),
    spans: () => {
      // The last frame is as long as the one before it.
      for (const id of [...open.keys()]) end(id, lastS + frameS);
      return ended.toSorted((a, b) => a.trackId - b.trackId || a.fromS - b.fromS);
    },
  };
};
