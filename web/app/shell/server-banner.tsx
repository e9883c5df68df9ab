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
