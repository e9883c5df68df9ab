import type { ReactElement } from 'react';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useServices } from '../services';
import styles from '../shell/update-notice.module.css';
import { Button } from '../ui/button';

/** Says which files an earlier visit had no room for. */
export const LostNotice = (): ReactElement | null => {
  const text = useMessages().storage;
  const { library } = useServices();
  const lost = useStore(library.lost, (current) => current);
  if (lost.length === 0) return null;
  return (
    <aside className={styles['notice']} role="status" data-testid="lost">
      <p>{text.notStored(lost)}</p>
      <Button variant="primary" onClick={() => library.dismissLost()}>
        {text.dismiss}
      </Button>
    </aside>
  );
};
