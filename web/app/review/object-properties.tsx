import { HIDING_METHODS } from '#shared/catalogue/methods';
import { useState, type ReactElement } from 'react';
import type { EditableObject } from '#shared/domain/edits/list-objects';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Button, IconButton } from '../ui/button';
import { SubjectButton } from '../subjects/subject-button';
import { Select } from '../ui/select';
import styles from './review-bar.module.css';
import { useLoaded } from '../ui/use-loaded';
import type { Review } from './use-review';

const loadDialog = () => import('./for-all-dialog');

/** Option for the method of the settings. */
const SAME = 'same';

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

/** Properties of the selected object: class, method and whether it is hidden. */
export const ObjectProperties = ({
  review,
  object,
}: {
  readonly review: Review;
  readonly object: EditableObject;
}): ReactElement => {
  const messages = useMessages();
  const text = messages.review;
  const { classes } = useServices();
  return (
    <div className={styles['details']} data-testid="object-properties">
      {object.origin === 'kept' ? (
        <p className={styles['hint']}>{text.keptArea}</p>
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
          <Select
            label={text.objectClass}
            value={object.objectClass}
            options={classes.map((name) => [name, messages.objectName(name)])}
            onChoose={(name) => review.change(object, { type_label: name })}
          />
          <Select
            label={text.objectMethod}
            value={object.method ?? SAME}
            options={[
              [SAME, text.sameMethod],
              ...HIDING_METHODS.map((method) => [method, messages.methods[method]] as const),
            ]}
            onChoose={(method) => review.change(object, { method: method === SAME ? undefined : method })}
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
