import { useState, type ReactElement } from 'react';
import { storedChoice } from '../../state/stored-choice';
import { useMessages } from '../messages';
import { IconButton } from '../ui/button';
import { isDialogOpen, useKeys } from '../ui/use-keys';
import { useLoaded } from '../ui/use-loaded';
import styles from './shell.module.css';

const loadDialog = () => import('./keys-dialog');

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
  const close = (): void => setOpen(false);
  const dialog = useLoaded(isOpen, loadDialog, close);
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
        label={messages.header.help}
        onClick={() => setOpen(true)}
      />
      {dialog && <dialog.KeysDialog hasKey={hasKey} setHasKey={choose} onClose={close} />}
    </>
  );
};
