import { useMemo, type KeyboardEvent, type ReactElement } from 'react';
import { toBbox } from '#shared/domain/boxes';
import type { Size } from '#shared/domain/raster';
import type { EditableObject } from '#shared/domain/edits/list-objects';
import boxes from '../boxes/boxes.module.css';
import { middleOf, nudgedBox, shownImage, styleOf, type ShownImage } from '../boxes/box-geometry';
import { BoxHandles, ObjectLabel, useLabels } from '../boxes/box-parts';
import type { PlacedLabel } from '../boxes/place-labels';
import { useMessages, type Messages } from '../messages';
import type { Placement } from '../stage/view-geometry';
import { useFocusOnSelected } from './focus-selected';
import type { Review } from './use-review';
import type { Draft } from './use-review-input';
import type { DrawnShape } from '#shared/domain/edits/edits';
import styles from './review.module.css';

/** Preview of the area that is being drawn. */
const Drawn = ({ outline }: { readonly outline: DrawnShape }): ReactElement => {
  switch (outline.shape) {
    case 'stroke': {
      const { points, radius } = outline;
      const [[x, y] = [0, 0]] = points;
      // SVG does not draw a line of zero length.
      const line = points.length > 1 ? points : [...points, [x + 0.01, y]];
      return <polyline points={line.map((point) => point.join()).join(' ')} strokeWidth={2 * radius} />;
    }
    case 'ellipse': {
      const [x1, y1, x2, y2] = outline.bbox;
      return <ellipse cx={(x1 + x2) / 2} cy={(y1 + y2) / 2} rx={(x2 - x1) / 2} ry={(y2 - y1) / 2} />;
    }
    case 'box': {
      const [x1, y1, x2, y2] = outline.bbox;
      return <rect x={x1} y={y1} width={x2 - x1} height={y2 - y1} />;
    }
  }
};

/** Class and score of an object, or that it was drawn. */
const nameOf = ({ origin, objectClass, score }: EditableObject, messages: Messages): string => {
  const text = messages.review;
  if (origin === 'kept') return text.keptArea;
  if (origin === 'always') return text.alwaysHidden;
  const name = messages.objectName(objectClass);
  return origin === 'drawn' ? text.drawnObject(name) : messages.stage.box(name, score);
};

/** The same, with its reason. */
const titleOf = (object: EditableObject, messages: Messages): string =>
  [nameOf(object, messages), object.reason ?? []].flat().join(' · ');

const labelOf = (object: EditableObject, { width, height }: Size, messages: Messages): string => {
  const { x, y } = middleOf(object.box);
  const place = messages.stage.object(titleOf(object, messages), x / width, y / height);
  return object.isHidden ? place : messages.review.switchedOff(place);
};

/** Keyboard shortcuts of the focused object. @returns whether the key was handled */
const press = (event: KeyboardEvent, object: EditableObject, review: Review, image: ShownImage): boolean => {
  if (event.key === 'Delete' || event.key === 'Backspace') {
    review.remove(object);
    return true;
  }
  const box = nudgedBox(event, object.box, image);
  if (box) review.change(object, { bbox: toBbox(box) }, `arrows ${object.id}`);
  return box !== undefined;
};

/** Whether it can be visible: areas can only be removed. */
const canSwitch = ({ origin }: EditableObject): boolean => origin === 'found' || origin === 'drawn';

/** The polygons that are always hidden, and the corners of the one that is being drawn. */
const Polygons = ({
  review,
  size,
}: {
  readonly review: Review;
  readonly size: Size;
}): ReactElement | null => {
  const { objects, corners } = review;
  const polygons = objects.flatMap((object) => object.corners ?? []);
  if (polygons.length + corners.length === 0) return null;
  return (
    <svg
      className={`over ${styles['draft']}`}
      viewBox={`0 0 ${size.width} ${size.height}`}
      data-kind="corners"
      aria-hidden="true"
    >
      {objects.map(({ id, corners: own }) => own && <polygon key={id} points={own.join(' ')} />)}
      <polyline points={corners.join(' ')} />
      {corners[0] && <circle cx={corners[0][0]} cy={corners[0][1]} r={size.width / 200} />}
    </svg>
  );
};

/** What stands for an object, to select and change it by keys and pointer. */
export const ObjectButton = ({
  object,
  review,
  image,
  label,
  className,
}: {
  readonly object: EditableObject;
  readonly review: Review;
  readonly image: ShownImage;
  readonly label: PlacedLabel | undefined;
  readonly className: string | undefined;
}): ReactElement => {
  const messages = useMessages();
  return (
    <button
      type="button"
      className={className}
      data-object={object.id}
      data-testid="object"
      aria-pressed={canSwitch(object) ? object.isHidden : undefined}
      aria-label={labelOf(object, image, messages)}
      onFocus={() => review.select(object.id)}
      // By pointer it is selected; only keys, which have no press to count, switch.
      onClick={({ detail }) =>
        detail === 0 && canSwitch(object) && review.change(object, { hidden: !object.isHidden })
      }
      onKeyDown={(event) => {
        if (!press(event, object, review, image)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <ObjectLabel className={styles['title']} text={titleOf(object, messages)} label={label} />
    </button>
  );
};

const ObjectItem = ({
  object,
  review,
  image,
  draft,
  label,
}: {
  readonly object: EditableObject;
  readonly review: Review;
  readonly image: ShownImage;
  readonly draft: Draft | null;
  readonly label: PlacedLabel | undefined;
}): ReactElement => {
  const isSelected = review.selected?.id === object.id;
  const box = draft?.kind === 'object' && draft.object.id === object.id ? draft.box : object.box;
  return (
    <li
      className={styles['item']}
      style={styleOf(box, image)}
      data-selected={isSelected}
      data-class={object.objectClass}
      data-origin={object.origin}
      data-off={!object.isHidden}
    >
      <ObjectButton
        {...{ object, review, image, label }}
        className={`over ${boxes['grab']} ${styles['object']}`}
      />
      {isSelected && <BoxHandles />}
    </li>
  );
};

/** The objects over the image, to select and change. A list, so that it can be gone through without seeing it. */
export const ObjectLayer = ({
  review,
  size,
  placement,
  draft,
}: {
  readonly review: Review;
  readonly size: Size;
  readonly placement: Placement;
  readonly draft: Draft | null;
}): ReactElement => {
  const messages = useMessages();
  const { objects, selected, options } = review;
  const selectedId = selected?.id;
  const layer = useFocusOnSelected(selectedId);
  const image = shownImage(size, placement);
  const labelled = useMemo(
    () => objects.map((object) => ({ ...object, text: titleOf(object, messages) })),
    [objects, messages],
  );
  const labels = useLabels(labelled, size, placement);
  return (
    <div ref={layer} className={styles['layer']} style={{ ...placement }} data-tool={options.tool}>
      {draft && draft.kind !== 'object' && (
        <svg
          className={`over ${styles['draft']}`}
          viewBox={`0 0 ${size.width} ${size.height}`}
          data-kind={draft.kind}
          aria-hidden="true"
        >
          <Drawn outline={draft.outline} />
        </svg>
      )}
      <Polygons review={review} size={size} />
      <ul aria-label={messages.stage.boxesList}>
        {objects.map((object, i) => (
          <ObjectItem key={object.id} {...{ object, review, image, draft }} label={labels[i]} />
        ))}
      </ul>
      <p className="visually-hidden" role="status">
        {review.news}
      </p>
    </div>
  );
};
