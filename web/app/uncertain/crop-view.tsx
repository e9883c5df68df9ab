import { useLayoutEffect, useRef, type ReactElement } from 'react';
import { boxHeight, boxWidth, type Box } from '#shared/domain/boxes';
import type { ObjectClass } from '#shared/catalogue/classes';
import type { ShownCrop } from '../../state/uncertain/crop-cache';
import styles from './uncertain.module.css';

const percent = (share: number): string => `${100 * share}%`;

/** Place of a box in the shown part, as CSS. */
const placeIn = (region: Box, box: Box) => ({
  left: percent((box.x1 - region.x1) / boxWidth(region)),
  top: percent((box.y1 - region.y1) / boxHeight(region)),
  width: percent(boxWidth(box) / boxWidth(region)),
  height: percent(boxHeight(box) / boxHeight(region)),
});

/** A crop with the outline of its object. */
export const CropView = ({
  crop: { bitmap, region },
  box,
  objectClass,
}: {
  readonly crop: ShownCrop;
  readonly box: Box;
  readonly objectClass: ObjectClass;
}): ReactElement => {
  const canvas = useRef<HTMLCanvasElement>(null);
  // Before the paint, so that the outline never lies over the crop before.
  useLayoutEffect(() => {
    const { current } = canvas;
    if (!current || !bitmap) return;
    [current.width, current.height] = [bitmap.width, bitmap.height];
    current.getContext('2d')?.drawImage(bitmap, 0, 0);
  }, [bitmap]);
  return (
    <div className={styles['crop']} style={{ aspectRatio: boxWidth(region) / boxHeight(region) }}>
      <canvas ref={canvas} aria-hidden="true" />
      <div className={styles['outline']} data-class={objectClass} style={placeIn(region, box)} />
    </div>
  );
};
