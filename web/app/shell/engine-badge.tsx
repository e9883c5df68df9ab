import type { ReactElement } from 'react';
import { useStore } from '../../state/store';
import { messages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import { readableBackend } from './readable-backend';
import styles from './engine-badge.module.css';

/** Says whether the models are loaded, and what they run on. */
export const EngineBadge = (): ReactElement => {
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
  const progress = status.state === 'loading' ? status.progress : 1;
  return (
    <div
      className={styles['badge']}
      title={messages.engine.explain}
      data-testid="engine"
      data-state={status.state}
    >
      <span className={styles['dot']} data-state={status.state} />
      {status.state === 'loading'
        ? messages.engine.loading(progress)
        : messages.engine.ready(readableBackend(status.backend))}
      {status.state === 'loading' && (
        <progress
          className="visually-hidden"
          max={1}
          value={progress}
          aria-label={messages.engine.loading(progress)}
        />
      )}
      <span className={styles['bar']} data-state={status.state} style={{ scale: `${progress} 1` }} />
    </div>
  );
};
