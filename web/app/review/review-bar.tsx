import { type ReactElement, useState } from 'react';
import { isCrossing } from '#shared/domain/hidden-areas';
import { useMessages } from '../messages';
import { Button, IconButton } from '../ui/button';
import { Icon } from '../ui/icons';
import { Segments } from '../ui/inputs';
import { ClassSelect, MethodSelect, ReasonSelect } from '../ui/selects';
import { TOOL_ICONS, TOOLS, BRUSH_SHARES } from './tools';
import type { Review } from './use-review';
import { UndoButtons } from './undoing';
import styles from './review.module.css';
import type { EditableObject } from '#shared/domain/edits/list-objects';
import { SubjectButton } from '../subjects/subject-button';
import { useLoaded } from '../ui/use-loaded';

const loadDialog = () => import('./for-all-dialog');

/** Button that opens the settings for all objects of this class. */
const ForAll = ({ object }: { readonly object: EditableObject }): ReactElement => {
  const text = useMessages().review.forAll;
  const [isOpen, setOpen] = useState(false);
  const dialog = useLoaded(isOpen, loadDialog, () => setOpen(false));
  return (
    <>
      <Button
        variant="quiet"
        className={styles['switch']}
        title={text.buttonTitle}
        onClick={() => setOpen(true)}
      >
        {text.button}
      </Button>
      {dialog && <dialog.ForAllDialog object={object} onClose={() => setOpen(false)} />}
    </>
  );
};

/** Properties of an area that stays visible, or is hidden whatever is there. */
const AreaProperties = ({
  review,
  object,
}: {
  readonly review: Review;
  readonly object: EditableObject;
}): ReactElement => {
  const text = useMessages().review;
  if (object.origin === 'kept') return <p className={`soft ${styles['hint']}`}>{text.keptArea}</p>;
  return (
    <>
      <p className={`soft ${styles['hint']}`}>{text.alwaysHidden}</p>
      <MethodSelect
        label={text.objectMethod}
        value={object.method}
        onChoose={(method) => review.change(object, { method })}
      />
      <ReasonSelect value={object.reason} onChoose={(reason) => review.change(object, { reason })} />
    </>
  );
};

/** Properties of the selected object: class, method and whether it is hidden. */
const ObjectProperties = ({
  review,
  object,
}: {
  readonly review: Review;
  readonly object: EditableObject;
}): ReactElement => {
  const text = useMessages().review;
  return (
    <div className={`row ${styles['details']}`} data-testid="object-properties">
      {object.origin === 'kept' || object.origin === 'always' ? (
        <AreaProperties review={review} object={object} />
      ) : (
        <>
          <Button
            variant="quiet"
            className={styles['switch']}
            aria-pressed={object.isHidden}
            onClick={() => review.change(object, { hidden: !object.isHidden })}
          >
            {text.hidden}
          </Button>
          <ClassSelect
            label={text.objectClass}
            value={object.objectClass}
            onChoose={(name) => review.change(object, { type_label: name })}
          />
          <MethodSelect
            label={text.objectMethod}
            value={object.method}
            onChoose={(method) => review.change(object, { method })}
          />
          <ReasonSelect
            objectClass={object.objectClass}
            value={object.reason}
            onChoose={(reason) => review.change(object, { reason })}
          />
          <ForAll object={object} />
          {object.origin === 'found' && object.objectClass === 'face' && <SubjectButton faces={[object]} />}
        </>
      )}
      <IconButton
        icon="trash"
        label={text.delete}
        title={text.deleteTitle}
        onClick={() => review.remove(object)}
      />
    </div>
  );
};

/** Options for the next drawn area, and a hint. */
const DrawingChoice = ({ review }: { readonly review: Review }): ReactElement => {
  const messages = useMessages();
  const text = messages.review;
  const { tool, drawnClass, brushShare } = review.options;
  const isDrawing = tool !== 'select' && tool !== 'keep' && tool !== 'always';
  return (
    <div className={`row ${styles['details']}`}>
      {isCrossing(review.corners) ? (
        <p className={styles['hint']} role="status">
          {text.crossing}
        </p>
      ) : (
        <p className={`soft ${styles['hint']}`}>{text.tools[tool].hint}</p>
      )}
      {isDrawing && (
        <ClassSelect
          label={text.drawnClass}
          value={drawnClass}
          onChoose={(name) => review.setOptions({ drawnClass: name })}
        />
      )}
      {tool === 'brush' && (
        <input
          type="range"
          className={styles['brush']}
          aria-label={text.brushSize}
          title={text.brushSize}
          min={0}
          max={BRUSH_SHARES.length - 1}
          step={1}
          value={Math.max(
            0,
            BRUSH_SHARES.findIndex((share) => share === brushShare),
          )}
          aria-valuetext={messages.percent(2 * brushShare)}
          onChange={({ currentTarget }) =>
            review.setOptions({ brushShare: BRUSH_SHARES[currentTarget.valueAsNumber] ?? brushShare })
          }
        />
      )}
    </div>
  );
};

/** Toolbar of the image editor, with the properties of the selected object. */
export const ReviewBar = ({ review }: { readonly review: Review }): ReactElement => {
  const text = useMessages().review;
  const { options, selected } = review;
  return (
    <div className={`row ${styles['bar']}`} role="group" aria-label={text.bar} data-testid="review-bar">
      <Segments
        legend={text.tool}
        variant="icons"
        options={TOOLS.map((value) => ({
          value,
          name: text.tools[value].name,
          title: text.tools[value].title,
          drawing: <Icon name={TOOL_ICONS[value]} />,
        }))}
        value={options.tool}
        onChoose={(tool) => review.setOptions({ tool })}
      />
      <div className={styles['group']}>
        <UndoButtons undoing={review} />
      </div>
      {review.copies > 0 && (
        <Button variant="quiet" title={text.copyTitle} onClick={review.copyAreas}>
          {text.copy(review.copies)}
        </Button>
      )}
      {selected ? <ObjectProperties review={review} object={selected} /> : <DrawingChoice review={review} />}
    </div>
  );
};
