import { useMemo, type ReactElement } from 'react';
import type { Size } from '#shared/domain/raster';
import type { FoundObject } from '../../state/media-item';
import { styleOf } from '../boxes/box-geometry';
import { ObjectLabel, useLabels } from '../boxes/box-parts';
import { useMessages } from '../messages';
import type { Placement } from './view-geometry';
import styles from '../boxes/boxes.module.css';

/** Boxes of detected objects over the image, with class and score. In a crowd, labels without room appear when the image is enlarged. */
export const Boxes = ({
  objects,
  image,
  placement,
}: {
  readonly objects: readonly FoundObject[];
  readonly image: Size;
  readonly placement: Placement;
}): ReactElement => {
  const messages = useMessages();
  const boxes = useMemo(
    () =>
      objects.map(({ id, objectClass, score, x, y, width, height }) => ({
        ...{ id, objectClass, box: { x1: x, y1: y, x2: x + width, y2: y + height } },
        text: messages.stage.box(messages.objectName(objectClass), score),
      })),
    [objects, messages],
  );
  const labels = useLabels(boxes, image, placement);
  return (
    <ul className={styles['boxes']} style={{ ...placement }} aria-hidden="true">
      {boxes.map(({ id, objectClass, box, text }, i) => (
        <li
          key={id}
          className={styles['box']}
          data-testid="box"
          data-class={objectClass}
          style={styleOf(box, image)}
        >
          <ObjectLabel text={text} label={labels[i]} />
        </li>
      ))}
    </ul>
  );
};
