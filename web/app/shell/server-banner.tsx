import type { ReactElement } from 'react';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import { Icon } from '../ui/icons';
import styles from './server-banner.module.css';

/** Warns that files leave this machine, as long as a server is selected. */
export const ServerBanner = (): ReactElement | null => {
  const text = useMessages().server;
  const { server } = useServices();
  const { isOn } = useStore(server.use, (current) => current);
  if (!isOn) return null;
  return (
    <aside className={styles['banner']} role="status" data-testid="server-banner">
      <Icon name="warning" />
      <p>{text.on(server.address)}</p>
      <Button onClick={server.turnOff}>{text.turnOff}</Button>
    </aside>
  );
};
