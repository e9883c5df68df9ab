import { useMemo, type ReactElement } from 'react';
import { HANDLES, shownImage, type Handle } from './box-geometry';
import styles from './boxes.module.css';
import { placeLabels, type LabelledBox, type PlacedLabel } from './place-labels';
import type { Size } from '#shared/domain/raster';

/** Places the names of objects, again only when they or the scale change. */
export const useLabels = (
  labelled: readonly LabelledBox[],
  image: Size,
  { width }: Pick<Size, 'width'>,
): readonly PlacedLabel[] =>
  useMemo(() => placeLabels(labelled, shownImage(image, { width })), [labelled, image, width]);

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
