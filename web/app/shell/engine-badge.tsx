import { useState, type ReactElement } from 'react';
import type { EngineStatus } from '../../state/engine-status';
import { useStore } from '../../state/store';
import { MachineDialog } from '../about/machine-dialog';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import { readableBackend } from './readable-backend';
import styles from './engine-badge.module.css';

/** How far loading is, then what pictures run on; opens what there is to know about it. */
const Ready = ({ status }: { readonly status: Exclude<EngineStatus, { state: 'failed' }> }): ReactElement => {
  const messages = useMessages();
  const [isOpen, setOpen] = useState(false);
  const progress = status.state === 'loading' ? status.progress : 1;
  return (
    <>
      <button
        type="button"
        className={styles['badge']}
        title={messages.machine.open}
        data-testid="engine"
        data-state={status.state}
        onClick={() => setOpen(true)}
      >
        <span className={styles['dot']} data-state={status.state} />
        {status.state === 'loading' ? (
          <span>
            <span className={styles['loading']}>{messages.engine.loading} </span>
            {messages.percent(progress)}
          </span>
        ) : (
          <span>
            <span className={styles['ready']}>{messages.engine.ready}</span>
            <span className={styles['backend']}>
              {' · '}
              {messages.engine.backend(readableBackend(status.backend))}
            </span>
          </span>
        )}
        <span className={styles['bar']} data-state={status.state} style={{ scale: `${progress} 1` }} />
      </button>
      {isOpen && <MachineDialog onClose={() => setOpen(false)} />}
    </>
  );
};

/** Says whether the models are loaded, and what they run on. */
export const EngineBadge = (): ReactElement => {
  const messages = useMessages();
  const { engine } = useServices();
  const status = useStore(engine.status, (current) => current);
  if (status.state === 'failed') {
    return (
      <div className={styles['badge']} role="alert" data-testid="engine" data-state="failed">
        <span className={styles['failed']}>
          {isSecureContext ? messages.engine.failedDetail : messages.engine.insecure}
        </span>
        <Button onClick={engine.load}>{messages.engine.retry}</Button>
      </div>
    );
  }
  return <Ready status={status} />;
};
