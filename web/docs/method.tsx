import type { ReactElement } from 'react';
import styles from './method.module.css';

/** An HTTP method as a coloured label. */
export const Method = ({
  name,
  size = 'normal',
}: {
  readonly name: string;
  readonly size?: 'normal' | 'small';
}): ReactElement => (
  <span className={`${styles['method']} ${styles[name] ?? ''} ${styles[size] ?? ''}`}>{name}</span>
);
