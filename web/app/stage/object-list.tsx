import type { ReactElement } from 'react';
import type { Size } from '#shared/domain/size';
import type { FoundObject } from '../../state/media-item';
import { useMessages } from '../messages';

/** List of detected objects for screen readers: class, score and position. */
export const ObjectList = ({
  objects,
  picture,
}: {
  readonly objects: readonly FoundObject[];
  readonly picture: Size;
}): ReactElement => {
  const messages = useMessages();
  return (
    <ul className="visually-hidden" aria-label={messages.stage.boxesList}>
      {objects.map(({ id, objectClass, score, x, y, width, height }) => (
        <li key={id}>
          {messages.stage.object(
            messages.stage.box(messages.objectName(objectClass), score),
            (x + width / 2) / picture.width,
            (y + height / 2) / picture.height,
          )}
        </li>
      ))}
    </ul>
  );
};
