import type { ReactElement } from 'react';
import { toBbox, type Box } from '#shared/domain/boxes';
import type { ObjectClass } from '#shared/catalogue/classes';
import type { EditableObject } from '#shared/domain/edits/list-objects';
import { moveOutline, type DrawnShape } from '#shared/domain/edits/edits';
import type { MediaResult } from '../../state/media-item';
import { HANDLES, type Handle, type ShownImage } from '../boxes/box-geometry';
import { ObjectLabel } from '../boxes/box-parts';
import { useMessages } from '../messages';
import { useFocusOnSelected } from '../review/focus-selected';
import { ObjectButton } from '../review/object-layer';
import type { Review } from '../review/use-review';
import type { Draft } from '../review/use-review-input';
import type { Point } from '../stage/view-geometry';
import { outlineOf, outlinesOf, toScreen, type Scene } from './sphere-geometry';
import boxes from '../boxes/boxes.module.css';
import styles from './sphere.module.css';

const pathOf = (outline: readonly Point[]): string =>
  `M${outline.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`;

interface Shown {
  readonly key: number | string;
  readonly shape: DrawnShape;
  readonly objectClass?: ObjectClass;
  readonly look: 'hidden' | 'visible' | 'kept' | 'draft';
  readonly isSelected: boolean;
}

/** Outlines on the sphere, as the camera sees them. */
const Outlines = ({
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
const partOnStage = (scene: Scene, box: Box): Box | undefined => {
  const outline = outlineOf(scene, box);
  if (outline.length < 3) return undefined;
  const { width, height } = scene.stage;
  const [xs, ys] = [outline.map(({ x }) => x), outline.map(({ y }) => y)];
  const [x1, y1] = [Math.max(0, Math.min(...xs)), Math.max(0, Math.min(...ys))];
  const [x2, y2] = [Math.min(width, Math.max(...xs)), Math.min(height, Math.max(...ys))];
  return x1 < x2 && y1 < y2 ? { x1, y1, x2, y2 } : undefined;
};

const placeOf = (part: Box | undefined) =>
  part && { left: part.x1, top: part.y1, width: part.x2 - part.x1, height: part.y2 - part.y1 };

const handlePoint = ({ x1, y1, x2, y2 }: Box, handle: Handle): Point => ({
  x: handle.includes('w') ? x1 : handle.includes('e') ? x2 : (x1 + x2) / 2,
  y: handle.includes('n') ? y1 : handle.includes('s') ? y2 : (y1 + y2) / 2,
});

const Handles = ({ scene, box }: { readonly scene: Scene; readonly box: Box }): ReactElement => (
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

interface SphereObjectsProps {
  readonly result: MediaResult;
  readonly scene: Scene;
  readonly image: ShownImage;
  readonly review: Review | null;
  readonly draft: Draft | null;
  readonly hasBoxes: boolean;
  readonly onLookAt: (box: Box) => void;
}

const boxIn = (draft: Draft | null, { id, box }: EditableObject): Box =>
  draft?.kind === 'object' && draft.object.id === id ? draft.box : box;

const shapeOf = (box: Box, drawn?: DrawnShape): DrawnShape =>
  drawn ? moveOutline(drawn, box) : { shape: 'box', bbox: toBbox(box) };

const lookOf = ({ origin, isHidden }: EditableObject): Shown['look'] => {
  if (origin === 'kept') return 'kept';
  return isHidden ? 'hidden' : 'visible';
};

/** The objects in the editor: a list, so that keys reach those behind the camera, which then turns to them. */
const Editor = ({
  review,
  scene,
  image,
  draft,
  onLookAt,
}: Omit<SphereObjectsProps, 'review' | 'result' | 'hasBoxes'> & {
  readonly review: Review;
}): ReactElement => {
  const messages = useMessages();
  const { objects, selected, options } = review;
  const selectedId = selected?.id;
  const layer = useFocusOnSelected(selectedId);
  const drawn =
    draft && draft.kind !== 'object'
      ? [{ key: 'draft', shape: draft.outline, look: 'draft', isSelected: false } as const]
      : [];
  const shown = objects.map((object) => ({
    ...{
      key: object.id,
      shape: shapeOf(boxIn(draft, object), object.drawn),
      objectClass: object.objectClass,
    },
    ...{ look: lookOf(object), isSelected: object.id === selectedId },
  }));
  return (
    <div ref={layer} className={`over ${styles['layer']}`} data-tool={options.tool}>
      <Outlines scene={scene} shown={[...shown, ...drawn]} />
      <ul aria-label={messages.stage.boxesList}>
        {objects.map((object) => {
          const part = partOnStage(scene, boxIn(draft, object));
          return (
            <li
              key={object.id}
              className={part ? styles['item'] : 'visually-hidden'}
              style={placeOf(part)}
              data-class={object.objectClass}
              data-selected={object.id === selectedId}
              onFocus={() => part === undefined && onLookAt(object.box)}
            >
              <ObjectButton {...{ object, review, image }} className={styles['grab']} label={undefined} />
            </li>
          );
        })}
      </ul>
      {selected && <Handles scene={scene} box={boxIn(draft, selected)} />}
      <p className="visually-hidden" role="status">
        {review.news}
      </p>
    </div>
  );
};

/** What the camera sees of the objects: to look at, or to change. */
export const SphereObjects = ({
  result,
  review,
  hasBoxes,
  ...view
}: SphereObjectsProps): ReactElement | null => {
  const messages = useMessages();
  if (review) return <Editor review={review} {...view} />;
  if (!hasBoxes && result.hasPicture) return null;
  const { scene } = view;
  const shown = result.objects.map(({ id, objectClass, score, x, y, width, height }) => {
    const box = { x1: x, y1: y, x2: x + width, y2: y + height };
    return {
      ...({ key: id, objectClass, look: 'hidden', isSelected: false } as const),
      ...{ box, shape: shapeOf(box) },
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
