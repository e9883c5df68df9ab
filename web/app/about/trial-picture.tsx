import { useRef, type ReactElement } from 'react';
import type { ModelTrial } from '../../workers/model-trial';
import { useMessages } from '../messages';
import { Boxes } from '../stage/boxes';
import { useDisplayable } from '../stage/use-displayable';
import { useObjectUrl } from '../stage/use-object-url';
import { useSize } from '../stage/use-size';
import styles from './add-model.module.css';

/** More boxes would cover the image and make the page slow. */
const MAX_BOXES = 200;
const TALLEST_PX = 320;

/** The test image with the boxes of the model's detections. */
export const TrialPicture = ({
  picture,
  trial: { objects, width, height },
}: {
  readonly picture: File;
  readonly trial: ModelTrial;
}): ReactElement => {
  const text = useMessages().ownModels;
  const url = useObjectUrl(useDisplayable(picture));
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  const shown = objects.slice(0, MAX_BOXES).map(({ objectClass, score, box: { x1, y1, x2, y2 } }, id) => ({
    id,
    objectClass,
    score,
    x: x1,
    y: y1,
    width: x2 - x1,
    height: y2 - y1,
  }));
  return (
    <div
      ref={frame}
      className={styles['picture']}
      style={{ aspectRatio: `${width} / ${height}`, width: `min(100%, ${(TALLEST_PX * width) / height}px)` }}
    >
      {url && <img src={url} alt={text.picture} />}
      {size && <Boxes objects={shown} picture={{ width, height }} placement={{ left: 0, top: 0, ...size }} />}
    </div>
  );
};
