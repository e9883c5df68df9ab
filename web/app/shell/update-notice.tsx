import type { ReactElement } from 'react';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';

/** Asks whether a new version may begin: work is cut off by that. */
export const UpdateNotice = (): ReactElement | null => {
  const text = useMessages().update;
  const { update } = useServices();
  const isOffered = useStore(update.isOffered, (current) => current);
  if (!isOffered) return null;
  return (
    <Notice
      variant="floating"
      role="status"
      heading={text.title}
      data-testid="update"
      actions={
        <>
          <Button variant="primary" onClick={update.accept}>
            {text.accept}
          </Button>
          <Button variant="quiet" onClick={update.decline}>
            {text.decline}
          </Button>
        </>
      }
    >
      {text.detail}
    </Notice>
  );
};
