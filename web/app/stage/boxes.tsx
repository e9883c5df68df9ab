import type { ReactElement } from 'react';
import type { Size } from '#shared/domain/size';
import type { FoundObject } from '../../state/media-item';
import { styleOf } from '../boxes/box-geometry';
import { useMessages } from '../messages';
import styles from './boxes.module.css';
import type { Placement } from './view-geometry';

/** Boxes of detected objects over the image, with class and score. */
export const Boxes = ({
  objects,
  picture,
  placement,
}: {
  readonly objects: readonly FoundObject[];
  readonly picture: Size;
  readonly placement: Placement;
}): ReactElement => {
  const messages = useMessages();
  return (
    <ul className={styles['boxes']} style={{ ...placement }} aria-hidden="true">
      {objects.map(({ id, objectClass, score, x, y, width, height }) => (
        <li
          key={id}
          className={styles['box']}
          data-testid="box"
          data-class={objectClass}
          style={styleOf({ x1: x, y1: y, x2: x + width, y2: y + height }, picture)}
        >
          <span className={styles['name']}>
            {messages.stage.box(messages.objectName(objectClass), score)}
          </span>
        </li>
      ))}
    </ul>
  );
};
