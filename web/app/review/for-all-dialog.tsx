import { HIDING_METHODS, hides, type Method } from '#shared/catalogue/methods';
import { useId, useState, type ReactElement } from 'react';
import type { EditableObject } from '#shared/domain/edits/list-objects';
import { changesByOverride, type Changes, type ClassOverride } from '../../state/for-all';
import { isEditable } from '../../state/wanted-edits';
import { useMessages } from '../messages';
import { useAppState, useServices } from '../services';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Notice } from '../ui/notice';
import styles from './review.module.css';

type How = ClassOverride['how'];

/** Options for all objects of a class, with the number of changes of each. */
const useOptions = (objectClass: EditableObject['objectClass']) => {
  const { items, settings } = useAppState();
  const isOnlyClass = settings.classes.every((name) => name === objectClass);
  const hows: readonly How[] = isOnlyClass ? HIDING_METHODS : [...HIDING_METHODS, 'visible'];
  return {
    options: hows.map((how): readonly [How, Changes] => [
      how,
      changesByOverride(items, { objectClass, how }),
    ]),
    haveOthers: items.some((item) => item.result !== null && !isEditable(item, settings)),
    method: settings.methods?.[objectClass] ?? settings.method,
  };
};

/** Initial option: the method of the selected object. */
const ownHow = ({ isHidden, method }: EditableObject, fallback: Method): How => {
  if (!isHidden) return 'visible';
  return method ?? (hides(fallback) ? fallback : 'blur');
};

/** Dialog that sets the method for all objects of a class in all images and shows what changes. */
export const ForAllDialog = ({
  object,
  onClose,
}: {
  readonly object: EditableObject;
  readonly onClose: () => void;
}): ReactElement => {
  const messages = useMessages();
  const text = messages.review.forAll;
  const { store } = useServices();
  const { objectClass } = object;
  const { options, haveOthers, method } = useOptions(objectClass);
  const [how, setHow] = useState<How>(ownHow(object, method));
  const group = useId();
  const changes = options.find(([name]) => name === how)?.[1];
  const apply = (): void => {
    store.send({ type: 'class-wished', wish: { objectClass, how } });
    onClose();
  };
  return (
    <Dialog title={text.title(messages.classes[objectClass])} onClose={onClose}>
      <fieldset className={`stack tight ${styles['options']}`}>
        <legend className="visually-hidden">{messages.review.objectMethod}</legend>
        {options.map(([name, { objects, images }]) => (
          <label key={name} className="row">
            <input
              type="radio"
              name={group}
              value={name}
              checked={name === how}
              onChange={() => setHow(name)}
            />
            {name === 'visible' ? text.visible : messages.methods[name]}
            <small className="soft">{text.changes(objects, images)}</small>
          </label>
        ))}
      </fieldset>
      {haveOthers && <Notice>{text.others}</Notice>}
      <Button variant="primary" disabled={!changes?.objects} onClick={apply}>
        {text.apply(changes?.images ?? 0)}
      </Button>
    </Dialog>
  );
};
