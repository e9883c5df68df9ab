import { useEffect, useState, type ReactElement } from 'react';
import { KeysDialog } from '../about/keys-dialog';
import { useMessages } from '../messages';
import { IconButton } from '../ui/button';
import styles from './keys-button.module.css';

const KEY = '?';
const STORED_AS = 'veil-keys';
const OFF = 'off';
/** Elements in which a question mark is text. */
const TAKES_TEXT = 'input:not([type=checkbox], [type=radio], [type=range]), textarea, select';

const isOff = (): boolean => {
  try {
    return localStorage.getItem(STORED_AS) === OFF;
  } catch {
    return false; // Storage can be switched off.
  }
};

const storeOff = (off: boolean): void => {
  try {
    if (off) localStorage.setItem(STORED_AS, OFF);
    else localStorage.removeItem(STORED_AS);
  } catch {
    // The choice then lasts as long as the page.
  }
};

/** Opens the list of keyboard shortcuts. The question mark key does the same and can be switched off (WCAG 2.1.4). */
export const KeysButton = (): ReactElement => {
  const messages = useMessages();
  const [isOpen, setOpen] = useState(false);
  const [hasKey, setHasKey] = useState(() => !isOff());
  useEffect(() => {
    if (!hasKey) return undefined;
    const press = ({ key, target }: KeyboardEvent): void => {
      const isText = target instanceof Element && target.matches(TAKES_TEXT);
      if (key === KEY && !isText && !document.querySelector('dialog[open]')) setOpen(true);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [hasKey]);
  const choose = (chosen: boolean): void => {
    storeOff(!chosen);
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
