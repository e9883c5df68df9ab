import { useState, type ReactElement } from 'react';
import { storedChoice } from '../../state/stored-choice';
import { useMessages } from '../messages';
import { IconButton } from '../ui/button';
import { isDialogOpen, useKeys } from '../ui/use-keys';
import styles from './shell.module.css';
import { Dialog } from '../ui/dialog';
import { Tick } from '../ui/inputs';
import about from '../about/about.module.css';

interface KeysDialogProps {
  readonly onClose: () => void;
  /** Whether the question mark key opens this dialog. */
  readonly hasKey: boolean;
  readonly setHasKey: (hasKey: boolean) => void;
}

/** List of keyboard shortcuts. */
const KeysDialog = ({ onClose, hasKey, setHasKey }: KeysDialogProps): ReactElement => {
  const text = useMessages().keys;
  return (
    <Dialog title={text.title} onClose={onClose}>
      {text.groups.map(({ title, keys }) => (
        <section key={title} className={about['section']}>
          <h3>{title}</h3>
          <dl className={about['keys']}>
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

const KEY = '?';
const stored = storedChoice('veil-keys');
const OFF = 'off';
/** Elements in which a question mark is text. */
const TAKES_TEXT = 'input:not([type=checkbox], [type=radio], [type=range]), textarea, select';

/** Opens the list of keyboard shortcuts. The question mark key does the same and can be switched off (WCAG 2.1.4). */
export const KeysButton = (): ReactElement => {
  const messages = useMessages();
  const [isOpen, setOpen] = useState(false);
  const [hasKey, setHasKey] = useState(() => stored.get() !== OFF);
  useKeys(({ key, target }) => {
    const isText = target instanceof Element && target.matches(TAKES_TEXT);
    if (hasKey && key === KEY && !isText && !isDialogOpen()) setOpen(true);
  });
  const choose = (chosen: boolean): void => {
    stored.set(chosen ? null : OFF);
    setHasKey(chosen);
  };
  return (
    <>
      <IconButton
        className={styles['button']}
        icon="help"
        label={messages.keys.title}
        onClick={() => setOpen(true)}
      />
      {isOpen && <KeysDialog hasKey={hasKey} setHasKey={choose} onClose={() => setOpen(false)} />}
    </>
  );
};
