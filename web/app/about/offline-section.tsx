import { useEffect, useState, type ReactElement } from 'react';
import type { OfflineStatus } from '../../state/offline';
import { useStore } from '../../state/store';
import { useMessages, type Messages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import styles from './about.module.css';

const describe = (status: OfflineStatus, text: Messages['offline']): string => {
  switch (status.kind) {
    case 'checking':
      return text.checking;
    case 'unavailable':
      return text.unavailable;
    case 'storing':
      return text.storing(status.storedBytes, status.totalBytes);
    case 'stored':
      return text.stored;
    case 'incomplete':
      return text.incomplete(status.missing);
    case 'removed':
      return text.removed;
  }
};

/** Storage used by this page, as reported by the browser; undefined if it does not report it. */
const useUsage = (occasion: unknown): number | undefined => {
  const [usage, setUsage] = useState<number>();
  useEffect(() => {
    // Absent on pages that are not secure.
    const storage = navigator.storage as StorageManager | undefined;
    void storage?.estimate().then((estimate) => setUsage(estimate.usage));
  }, [occasion]);
  return usage;
};

/** State of the offline storage, its size, and a button to remove it. */
export const OfflineSection = (): ReactElement => {
  const text = useMessages().offline;
  const { offline } = useServices();
  const status = useStore(offline.status, (current) => current);
  const usage = useUsage(status);
  return (
    <section className={styles['section']} data-testid="offline" data-state={status.kind}>
      <h3>{text.title}</h3>
      <p role="status">{describe(status, text)}</p>
      {status.kind === 'storing' && (
        <progress
          max={status.totalBytes}
          value={status.storedBytes}
          aria-label={text.storing(status.storedBytes, status.totalBytes)}
        />
      )}
      {usage !== undefined && <p data-testid="usage">{text.usage(usage)}</p>}
      <div className={styles['actions']}>
        <Button
          disabled={status.kind === 'removed' || status.kind === 'unavailable'}
          onClick={() => void offline.remove()}
        >
          {text.remove}
        </Button>
      </div>
      <p className={styles['note']}>{text.removeHint}</p>
    </section>
  );
};
