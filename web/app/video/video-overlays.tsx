import type { ReactElement } from 'react';
import type { Size } from '#shared/domain/boxes';
import type { FoundObject, MediaResult } from '../../state/media-item';
import { Boxes } from '../stage/boxes';
import { placeContained } from '../stage/view-geometry';
import { DrawBox } from './draw-box';
import type { Drawing } from './use-drawing';

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
  /** Of the pictures as they are shown. */
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
      {marked && !isDrawing && <Boxes objects={[marked]} picture={result} placement={placement} />}
      {isDrawing && (
        <DrawBox placement={placement} picture={result} onDone={drawing.finish} onCancel={drawing.cancel} />
      )}
    </>
  );
};
