import type { ReactElement } from 'react';
import { toBbox, type Box } from '#shared/domain/boxes';
import type { ObjectClass } from '#shared/catalogue/classes';
import type { DrawnShape } from '#shared/domain/edits/edits';
import type { FoundObject } from '../../state/media-item';
import { HANDLES, type Handle } from '../boxes/box-geometry';
import { ObjectLabel } from '../boxes/box-parts';
import { useMessages } from '../messages';
import type { Point } from '../stage/view-geometry';
import { outlineOf, outlinesOf, toScreen, type Scene } from './sphere-geometry';
import boxes from '../boxes/boxes.module.css';
import styles from './sphere.module.css';

const pathOf = (outline: readonly Point[]): string =>
  `M${outline.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`;

/** What is drawn on the sphere. */
export interface Shown {
  readonly key: number | string;
  readonly shape: DrawnShape;
  readonly objectClass?: ObjectClass;
  readonly look: 'hidden' | 'visible' | 'kept' | 'draft';
  readonly isSelected: boolean;
}

/** Outlines on the sphere, as the camera sees them. */
export const Outlines = ({
  scene,
  shown,
}: {
  readonly scene: Scene;
  readonly shown: readonly Shown[];
}): ReactElement => (
  <svg className={`over ${styles['outlines']}`} aria-hidden="true" data-testid="sphere-outlines">
    {shown.map(({ key, shape, objectClass, look, isSelected }) => (
      <path
        key={key}
        d={outlinesOf(scene, shape).map(pathOf).join('')}
        data-shape={shape.shape}
        data-class={objectClass}
        data-look={look}
        data-selected={isSelected}
      />
    ))}
  </svg>
);

/** The part of an outline on the stage; undefined where none of it is. */
export const partOnStage = (scene: Scene, box: Box): Box | undefined => {
  const outline = outlineOf(scene, box);
  if (outline.length < 3) return undefined;
  const { width, height } = scene.stage;
  const [xs, ys] = [outline.map(({ x }) => x), outline.map(({ y }) => y)];
  const [x1, y1] = [Math.max(0, Math.min(...xs)), Math.max(0, Math.min(...ys))];
  const [x2, y2] = [Math.min(width, Math.max(...xs)), Math.min(height, Math.max(...ys))];
  return x1 < x2 && y1 < y2 ? { x1, y1, x2, y2 } : undefined;
};

export const placeOf = (part: Box | undefined) =>
  part && { left: part.x1, top: part.y1, width: part.x2 - part.x1, height: part.y2 - part.y1 };

const handlePoint = ({ x1, y1, x2, y2 }: Box, handle: Handle): Point => ({
  x: handle.includes('w') ? x1 : handle.includes('e') ? x2 : (x1 + x2) / 2,
  y: handle.includes('n') ? y1 : handle.includes('s') ? y2 : (y1 + y2) / 2,
});

/** Of a box, for the pointer. */
export const Handles = ({ scene, box }: { readonly scene: Scene; readonly box: Box }): ReactElement => (
  <>
    {HANDLES.map((handle) => {
      const at = toScreen(scene, handlePoint(box, handle));
      return (
        at && (
          <span
            key={handle}
            className={boxes['handle']}
            data-handle={handle}
            style={{ left: at.x, top: at.y }}
            aria-hidden="true"
          />
        )
      );
    })}
  </>
);

/** Objects to look at, each with its name. */
export const FoundObjects = ({
  objects,
  scene,
}: {
  readonly objects: readonly FoundObject[];
  readonly scene: Scene;
}): ReactElement => {
  const messages = useMessages();
  const shown = objects.map(({ id, objectClass, score, x, y, width, height }) => {
    const box = { x1: x, y1: y, x2: x + width, y2: y + height };
    return {
      ...({ key: id, objectClass, look: 'hidden', isSelected: false } as const),
      ...{ box, shape: { shape: 'box', bbox: toBbox(box) } as const },
      text: messages.stage.box(messages.objectName(objectClass), score),
    };
  });
  return (
    <div className={`over ${styles['layer']}`} aria-hidden="true">
      <Outlines scene={scene} shown={shown} />
      {shown.map(({ key, box, objectClass, text }) => {
        const part = partOnStage(scene, box);
        return (
          part && (
            <div key={key} className={styles['item']} style={placeOf(part)} data-class={objectClass}>
              <ObjectLabel text={text} label={undefined} />
            </div>
          )
        );
      })}
    </div>
  );
};
