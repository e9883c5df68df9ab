import type { ReactElement } from 'react';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';

/** Warns that files leave this machine, as long as a server is selected. */
export const ServerBanner = (): ReactElement | null => {
  const text = useMessages().server;
  const { server } = useServices();
  const { isOn } = useStore(server.use, (current) => current);
  if (!isOn) return null;
  return (
    <Notice
      variant="banner"
      isWarning
      role="status"
      data-testid="server-banner"
      actions={<Button onClick={server.turnOff}>{text.turnOff}</Button>}
    >
      {text.on(server.address)}
    </Notice>
  );
};

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
