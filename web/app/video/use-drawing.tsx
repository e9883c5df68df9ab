import { useState, type ReactElement, type RefObject } from 'react';
import { type Box, toBbox, toBox } from '#shared/domain/boxes';
import type { HiddenArea } from '#shared/domain/hidden-areas';
import type { Size } from '#shared/domain/raster';
import { editOf, type ItemEdits } from '../../state/edit-history';
import type { FoundObject, MediaItem, MediaResult } from '../../state/media-item';
import { withDrawn, withHidden, withTrackPlaced } from '../../state/video-edits';
import { useServices } from '../services';
import { Boxes } from '../stage/boxes';
import { placeContained } from '../stage/view-geometry';
import type { ChangedTrack } from './changed-track';
import { DrawBox, type DrawProps } from './draw-box';
import type { Playback } from './use-playback';

/** Overlay of a result frame: the highlighted object, or the box that is being drawn. */
export const VideoOverlays = ({
  stage,
  shown,
  result,
  marked,
  drawing,
  isDrawing,
}: {
  readonly stage: Size | null;
  /** Of the images as they are shown. */
  readonly shown: Size | undefined;
  readonly result: MediaResult | null;
  readonly marked: FoundObject | undefined;
  readonly drawing: Drawing;
  readonly isDrawing: boolean;
}): ReactElement | null => {
  if (!stage || !result) return null;
  const placement = placeContained(stage, shown ?? result);
  return (
    <>
      {marked && !isDrawing && <Boxes objects={[marked]} image={result} placement={placement} />}
      {isDrawing && <DrawBox placement={placement} {...drawProps(result, drawing)} />}
    </>
  );
};

/** As a person placed it before, or else as it was found. */
const placeOf = (edits: ItemEdits, { id, seen, ...found }: FoundObject): ChangedTrack => {
  const { x, y, width, height } = found;
  const { bbox, at, type_label: objectClass = found.objectClass } = editOf(edits, id) ?? {};
  return bbox && at !== undefined
    ? { id, objectClass, atS: at, box: toBox(bbox) }
    : { id, objectClass, atS: seen?.bestS ?? 0, box: { x1: x, y1: y, x2: x + width, y2: y + height } };
};

const canDrawOn = ({ status, result }: MediaItem): boolean =>
  status === 'done' && result?.video !== undefined && result.hasImage;

export type Drawing = ReturnType<typeof useDrawing>;

/** What a box is drawn with. @param image of the video's frames */
export const drawProps = (image: Size, drawing: Drawing): DrawProps => ({
  image,
  changed: drawing.changed,
  onChanged: drawing.change,
  onDone: drawing.finish,
  onAlways: drawing.hideAlways,
  onCancel: drawing.cancel,
});

/** Drawing a box on the frame in view. @param canvas gets the focus back */
export const useDrawing = (item: MediaItem, playback: Playback, canvas: RefObject<HTMLElement | null>) => {
  const { id, edits } = item;
  const { present } = edits;
  const { store } = useServices();
  const canDraw = canDrawOn(item);
  const [isActive, setActive] = useState(false);
  const [changed, setChanged] = useState<ChangedTrack>();
  const replace = (changed: ItemEdits): void => {
    store.send({ type: 'edited', id, edit: { type: 'replaced', edits: changed } });
    cancel();
  };
  const cancel = (): void => {
    setActive(false);
    setChanged(undefined);
    canvas.current?.focus();
  };
  const begin = (): void => {
    playback.pause();
    setActive(true);
  };
  /** Begins to change the place and the class of a track. */
  const beginChange = (track: FoundObject): void => {
    const place = placeOf(present, track);
    playback.seek(place.atS);
    setChanged(place);
    begin();
  };
  return {
    /** Whether there is a result to draw on; otherwise nothing begins. */
    canDraw,
    isActive: isActive && canDraw,
    changed,
    ...(canDraw && { begin, beginChange }),
    /** Adds the box to the edits. */
    finish: (box: Box): void =>
      replace(withDrawn(present, { at: playback.currentTimeS(), bbox: toBbox(box) })),
    /** Changes the track as far as it differs from before. */
    change: ({ id: track, atS, box, objectClass }: ChangedTrack): void =>
      replace(
        withTrackPlaced(present, track, {
          ...(objectClass !== changed?.objectClass && { type_label: objectClass }),
          ...(box !== changed?.box && { at: atS, bbox: toBbox(box) }),
        }),
      ),
    /** Adds areas that are hidden in the whole video, whatever is there. */
    hideAlways: (areas: readonly HiddenArea[]): void => replace(areas.reduce(withHidden, present)),
    cancel,
  };
};
