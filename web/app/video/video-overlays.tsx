import type { ReactElement } from 'react';
import type { FoundObject, PictureResult } from '../../state/pictures';
import { Boxes } from '../stage/boxes';
import { containedIn, type Size } from './box-geometry';
import { DrawBox } from './draw-box';
import type { Drawing } from './use-drawing';

/** Over a result's frame: what is marked in it, or the box that is being drawn. */
export const VideoOverlays = ({
  stage,
  result,
  marked,
  drawing,
  isDrawing,
}: {
  readonly stage: Size | null;
  readonly result: PictureResult | null;
  readonly marked: FoundObject | undefined;
  readonly drawing: Drawing;
  readonly isDrawing: boolean;
}): ReactElement | null => {
  if (!stage || !result) return null;
  return (
    <>
      {marked && !isDrawing && (
        <Boxes objects={[marked]} picture={result} placement={containedIn(stage, result)} />
      )}
      {isDrawing && (
        <DrawBox stage={stage} picture={result} onDone={drawing.finish} onCancel={drawing.cancel} />
      )}
    </>
  );
};
