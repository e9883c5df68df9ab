import { useState, type ReactElement } from 'react';
import { useStore } from '../../state/store';
import { PrivacyDialog } from '../about/privacy-dialog';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Icon } from '../ui/icons';
import { SteadyText } from '../ui/steady-text';
import styles from './privacy-badge.module.css';

/** Shows how many bytes this page has sent, and opens the dialog that proves it. */
export const PrivacyBadge = (): ReactElement => {
  const messages = useMessages();
  const { traffic } = useServices();
  const { isCounted, sentBytes } = useStore(traffic, (current) => current);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={styles['badge']}
        title={messages.privacy.open}
        data-testid="sent"
        data-counted={isCounted}
        data-sent={sentBytes > 0}
        onClick={() => setOpen(true)}
      >
        <Icon name="lock" size={18} />
        <span className="word">
          <SteadyText others={[messages.privacy.badge, messages.privacy.sent(0)]}>
            {isCounted ? messages.privacy.sent(sentBytes) : messages.privacy.badge}
          </SteadyText>
        </span>
      </button>
      {isOpen && <PrivacyDialog onClose={() => setOpen(false)} />}
    </>
  );
};
