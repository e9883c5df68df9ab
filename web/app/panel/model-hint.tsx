import { useState, type ReactElement } from 'react';
import { storedChoice } from '../../state/stored-choice';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { useMachineDialog } from '../shell/use-machine-dialog';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { useRead } from '../ui/use-loaded';

const stored = storedChoice('veil-model-hint');
const DISMISSED = 'dismissed';

/** Whether recommended models would be used by this page. Reviews and servers detect with models of their own. */
const useIsOffered = (): boolean => {
  const { ownModels, server, subjectHost } = useServices();
  const { isOn } = useStore(server.use, (current) => current);
  return ownModels.isOffered && subjectHost !== undefined && !isOn;
};

/** Mentions the recommended models until one is in use or the user dismisses the line. It downloads nothing. */
export const ModelHint = (): ReactElement | null => {
  const text = useMessages().recommended;
  const { engine, ownModels } = useServices();
  const isOffered = useIsOffered();
  const status = useStore(engine.status, (current) => current);
  const [isDismissed, setDismissed] = useState(() => stored.get() === DISMISSED);
  const { dialog, open } = useMachineDialog();
  const isWanted = isOffered && !isDismissed;
  const packs = useRead(() => (isWanted ? ownModels.listRecommended() : undefined), [isWanted, ownModels]);
  const dismiss = (): void => {
    stored.set(DISMISSED);
    setDismissed(true);
  };
  const isMissing =
    packs && status.state === 'ready' && !packs.some(({ id }) => status.ownPacks.includes(id));
  return (
    <>
      {isMissing && (
        <Notice
          data-testid="model-hint"
          actions={
            <>
              <Button variant="quiet" onClick={open}>
                {text.show}
              </Button>
              <Button variant="quiet" onClick={dismiss}>
                {text.dismiss}
              </Button>
            </>
          }
        >
          {text.hint(packs.reduce((sum, { bytes }) => sum + bytes, 0))}
        </Notice>
      )}
      {dialog}
    </>
  );
};
