import type { ReactElement } from 'react';
import styles from './thumbnail-bar.module.css';

/** How far the work on a picture is, over a small copy of it. @param share 0..1 */
export const ThumbnailBar = ({ share }: { readonly share: number }): ReactElement => (
  <span className={styles['bar']}>
    <span style={{ scale: `${share} 1` }} />
  </span>
);
