import type { ReactElement } from 'react';
import { useMessages, type Messages } from '../messages';
import { IconButton } from '../ui/button';
import type { DrawnObject } from './listed-tracks';
import type { Seek } from './seek';
import styles from './tracks-section.module.css';

const MICROSECONDS = 1e6;

const spanOf = ({ atS, followed }: DrawnObject, text: Messages['video']): string =>
  followed ? text.span(followed.fromUs / MICROSECONDS, followed.untilUs / MICROSECONDS) : text.boxFrom(atS);

/** What is lost goes on being hidden for a moment, and not to the video's end. */
const lossOf = ({ followed }: DrawnObject, text: Messages['video']): string | undefined =>
  followed && followed.seenUntilUs < followed.untilUs
    ? text.boxLost(followed.seenUntilUs / MICROSECONDS, followed.untilUs / MICROSECONDS)
    : undefined;

/** A box that was drawn: from when to when it hides something, and a way to take it away. */
export const DrawnRow = ({
  drawn,
  thumbnailUrl,
  onRemove,
  onSeek,
}: {
  readonly drawn: DrawnObject;
  readonly thumbnailUrl: string | undefined;
  readonly onRemove: () => void;
  readonly onSeek: Seek;
}): ReactElement => {
  const text = useMessages().video;
  const span = spanOf(drawn, text);
  const loss = lossOf(drawn, text);
  return (
    <li className={styles['row']} data-testid="drawn">
      <button
        type="button"
        className={styles['thumbnail']}
        title={text.goToBox(span)}
        aria-label={text.goToBox(span)}
        onClick={() => onSeek({ atS: drawn.atS })}
      >
        {thumbnailUrl && <img src={thumbnailUrl} alt="" />}
      </button>
      <span className={styles['label']}>
        <span>
          {text.drawnBox}
          <small>{span}</small>
          {loss && <small className={styles['loss']}>{loss}</small>}
        </span>
      </span>
      <IconButton icon="trash" label={text.removeBox(span)} onClick={onRemove} />
    </li>
  );
};
