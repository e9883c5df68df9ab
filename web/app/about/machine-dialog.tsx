import type { ReactElement } from 'react';
import { useMessages } from '../messages';
import { Dialog } from '../ui/dialog';
import { ModelsSection } from './models-section';
import { OfflineSection } from './offline-section';
import { PicturesSection } from './pictures-section';
import { ServerSection } from './server-section';
import { SpeedSection } from './speed-section';

/** What this machine does for the page, and keeps for it. */
export const MachineDialog = ({ onClose }: { readonly onClose: () => void }): ReactElement => {
  const messages = useMessages();
  return (
    <Dialog title={messages.device.title} onClose={onClose}>
      <p>{messages.device.lead}</p>
      <ModelsSection />
      <SpeedSection />
      <ServerSection />
      <PicturesSection />
      <OfflineSection />
    </Dialog>
  );
};
