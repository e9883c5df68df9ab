import type { ReactElement } from 'react';
import { useMessages } from '../messages';
import { Dialog } from '../ui/dialog';
import { OfflineSection } from './offline-section';

/** What this machine does for the page, and keeps for it. */
export const MachineDialog = ({ onClose }: { readonly onClose: () => void }): ReactElement => {
  const messages = useMessages();
  return (
    <Dialog title={messages.machine.title} onClose={onClose}>
      <p>{messages.machine.lead}</p>
      <OfflineSection />
    </Dialog>
  );
};
