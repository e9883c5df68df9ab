import type { ReactElement } from 'react';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';

/** Says which files an earlier visit had no room for. */
export const LostNotice = (): ReactElement | null => {
  const text = useMessages().storage;
  const { library } = useServices();
  const lost = useStore(library.lost, (current) => current);
  if (lost.length === 0) return null;
  return (
    <Notice
      variant="floating"
      role="status"
      data-testid="lost"
      actions={
        <Button variant="primary" onClick={() => library.dismissLost()}>
          {text.dismiss}
        </Button>
      }
    >
      {text.notStored(lost)}
    </Notice>
  );
};
