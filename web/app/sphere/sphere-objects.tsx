import type { ReactElement } from 'react';
import { toBbox, type Box } from '#shared/domain/boxes';
import type { EditableObject } from '#shared/domain/edits/list-objects';
import { moveDrawnShape, type DrawnShape } from '#shared/domain/edits/edits';
import type { MediaResult } from '../../state/media-item';
import type { ShownImage } from '../boxes/box-geometry';
import { useMessages } from '../messages';
import { useFocusOnSelected } from '../review/focus-selected';
import { ObjectButton } from '../review/object-layer';
import type { Review } from '../review/use-review';
import type { Draft } from '../review/use-review-input';
import type { Scene } from './sphere-geometry';
import { FoundObjects, Handles, Outlines, partOnStage, placeOf, type Shown } from './sphere-parts';
import styles from './sphere.module.css';

interface SphereObjectsProps {
  readonly result: MediaResult;
  readonly scene: Scene;
  readonly image: ShownImage;
  readonly review: Review | null;
  readonly draft: Draft | null;
  readonly hasBoxes: boolean;
  readonly onShow: (box: Box) => void;
}

const boxIn = (draft: Draft | null, { id, box }: EditableObject): Box =>
  draft?.kind === 'object' && draft.object.id === id ? draft.box : box;

const shapeOf = (box: Box, drawn?: DrawnShape): DrawnShape =>
  drawn ? moveDrawnShape(drawn, box) : { shape: 'box', bbox: toBbox(box) };

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
  onShow,
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
              onFocus={() => part === undefined && onShow(object.box)}
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
  if (review) return <Editor review={review} {...view} />;
  if (!hasBoxes && result.hasImage) return null;
  return <FoundObjects objects={result.objects} scene={view.scene} />;
};
