import type { ReactElement, ReactNode } from 'react';
import styles from './controls.module.css';

/** A text in place of which others come: as wide as the widest, so that nothing next to it moves. */
export const SteadyText = ({
  others: [widest, other],
  className = '',
  children,
}: {
  /** The longest that come. */
  readonly others: readonly [string, string?];
  readonly className?: string | undefined;
  readonly children: ReactNode;
}): ReactElement => (
  <span className={`${styles['steady']} ${className}`} data-widest={widest} data-other={other}>
    <span>{children}</span>
  </span>
);
