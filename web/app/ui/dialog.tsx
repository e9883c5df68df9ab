import { useId, useLayoutEffect, useRef, type ReactElement, type ReactNode } from 'react';
import { useMessages } from '../messages';
import { IconButton } from './button';
import styles from './controls.module.css';

/** Something to read or to decide, over the page: closed by its button, by Escape, or by a press next to it. */
export const Dialog = ({
  title,
  className = '',
  onClose,
  children,
}: {
  readonly title: string;
  readonly className?: string | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactElement => {
  const messages = useMessages();
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Before the effects of its content, which may give the focus to a part of it.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Closing gives the focus back to what had it before.
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`${styles['dialog']} ${className}`}
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <div className={styles['content']}>
        <header className={styles['head']}>
          <h2 id={titleId}>{title}</h2>
          <IconButton icon="close" label={messages.close} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
};
