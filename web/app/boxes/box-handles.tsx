import type { ReactElement } from 'react';
import { HANDLES, type Handle } from './box-geometry';
import styles from './box-handles.module.css';

/** Handles at the corners and sides of a box; children of the element with the box's position and size. */
export const BoxHandles = (): ReactElement => (
  <>
    {HANDLES.map((handle) => (
      <span key={handle} className={styles['handle']} data-handle={handle} aria-hidden="true" />
    ))}
  </>
);

/** The handle at a pointer event; undefined elsewhere. */
export const handleAt = (target: EventTarget): Handle | undefined => {
  const element = target instanceof Element ? target.closest('[data-handle]') : null;
  return HANDLES.find((handle) => handle === element?.getAttribute('data-handle'));
};
