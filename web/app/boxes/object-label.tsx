import type { ReactElement } from 'react';
import styles from './object-label.module.css';
import type { PlacedLabel } from './place-labels';

/** The name of an object at its box. Style sheets of callers show labels on demand. */
export const ObjectLabel = ({
  text,
  label,
  className = '',
}: {
  readonly text: string;
  readonly label: PlacedLabel | undefined;
  readonly className?: string | undefined;
}): ReactElement => (
  <span
    className={`${styles['label']} ${className}`}
    data-place={label?.place ?? 'above'}
    data-on-demand={label?.isOnDemand ?? false}
  >
    {text}
  </span>
);
