import type { ReactElement } from 'react';
import styles from './controls.module.css';

/** Stands for an image that has no small copy (yet): `JPG`. */
export const kindOf = (name: string): string => (/\.([a-z0-9]{1,4})$/i.exec(name)?.[1] ?? '').toUpperCase();

/** How far the work on an image is, over a small copy of it. @param share 0..1 */
export const ThumbnailBar = ({ share }: { readonly share: number }): ReactElement => (
  <span className={styles['bar']}>
    <span style={{ scale: `${share} 1` }} />
  </span>
);
