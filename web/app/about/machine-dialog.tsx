import type { ReactElement } from 'react';
import { useMessages } from '../messages';
import { Dialog } from '../ui/dialog';
import { ModelsSection } from './models-section';
import { OfflineSection } from './offline-section';
import { PicturesSection } from './pictures-section';
import { ServerSection } from './server-section';
import { SpeedSection } from './speed-section';

/** Dialog "On this device": models, speed, server, files and offline storage. */
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
