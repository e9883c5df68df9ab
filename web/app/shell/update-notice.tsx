import type { ReactElement } from 'react';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import styles from './update-notice.module.css';

/** Asks whether a new version may begin: work is cut off by that. */
export const UpdateNotice = (): ReactElement | null => {
  const text = useMessages().update;
  const { update } = useServices();
  const isOffered = useStore(update.isOffered, (current) => current);
  if (!isOffered) return null;
  return (
    <aside className={styles['notice']} role="status" data-testid="update">
      <p>
        <strong>{text.title}</strong> {text.detail}
      </p>
      <Button variant="primary" onClick={update.accept}>
        {text.accept}
      </Button>
      <Button variant="quiet" onClick={update.decline}>
        {text.decline}
      </Button>
    </aside>
  );
};
