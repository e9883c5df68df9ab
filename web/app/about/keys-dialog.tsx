import type { ReactElement } from 'react';
import { useMessages } from '../messages';
import { Dialog } from '../ui/dialog';
import { Tick } from '../ui/tick';
import styles from './about.module.css';

interface KeysDialogProps {
  readonly onClose: () => void;
  /** Whether the question mark key opens this dialog. */
  readonly hasKey: boolean;
  readonly setHasKey: (hasKey: boolean) => void;
}

/** List of keyboard shortcuts. */
export const KeysDialog = ({ onClose, hasKey, setHasKey }: KeysDialogProps): ReactElement => {
  const text = useMessages().keys;
  return (
    <Dialog title={text.title} onClose={onClose}>
      {text.groups.map(({ title, keys }) => (
        <section key={title} className={styles['section']}>
          <h3>{title}</h3>
          <dl className={styles['keys']}>
            {keys.map(([names, action]) => (
              <div key={action}>
                <dt>
                  {names.map((name) => (
                    <kbd key={name}>{name}</kbd>
                  ))}
                </dt>
                <dd>{action}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <Tick checked={hasKey} onTick={setHasKey}>
        {text.hasKey}
      </Tick>
    </Dialog>
  );
};
