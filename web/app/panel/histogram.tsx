import type { CSSProperties, ReactElement } from 'react';
import type { NumberedDetection } from '#shared/domain/edits/edits';
import type { ObjectClass } from '#shared/catalogue/classes';
import { BAR_WIDTH, scoreHistogram } from '../../state/histogram';
import { CANDIDATE_FLOOR } from '#shared/domain/options';
import { useMessages } from '../messages';
import styles from './histogram.module.css';

/** Score histogram of one class, above the slider for its threshold. */
export const Histogram = ({
  found,
  objectClass,
  threshold,
}: {
  readonly found: readonly NumberedDetection[];
  readonly objectClass: ObjectClass;
  readonly threshold: number;
}): ReactElement => {
  const messages = useMessages();
  const bars = scoreHistogram(found, objectClass, CANDIDATE_FLOOR);
  const max = Math.max(1, ...bars.map(({ count }) => count));
  const isHidden = (from: number): boolean => from + BAR_WIDTH / 2 > threshold;
  const total = bars.reduce((sum, { count }) => sum + count, 0);
  const hidden = bars.reduce((sum, { from, count }) => sum + (isHidden(from) ? count : 0), 0);
  return (
    <span
      className={styles['histogram']}
      data-class={objectClass}
      data-testid="histogram"
      role="img"
      aria-label={messages.panel.histogram(hidden, total)}
      title={messages.panel.histogram(hidden, total)}
    >
      {bars.map(({ from, count }) => (
        <span key={from} data-hidden={isHidden(from)} style={{ '--share': count / max } as CSSProperties} />
      ))}
    </span>
  );
};
