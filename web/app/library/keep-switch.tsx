import { useId, type ReactElement } from 'react';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Tick } from '../ui/tick';
import styles from './keeping.module.css';

/** Switch that keeps the files after the tab is closed. Its explanation is visible or read by screen readers. */
export const KeepSwitch = ({
  isExplained = false,
}: {
  readonly isExplained?: boolean;
}): ReactElement | null => {
  const text = useMessages().storage;
  const { library } = useServices();
  const keeping = useStore(library.keeping, (current) => current);
  const id = useId();
  const explained = text.explanations[keeping];
  if (keeping === 'memory' && !isExplained) return null;
  return (
    <div className={styles['keep']}>
      {keeping !== 'memory' && (
        <Tick
          title={explained}
          checked={keeping === 'kept'}
          disabled={keeping === 'elsewhere'}
          aria-describedby={id}
          data-testid="keep"
          onTick={library.keep}
        >
          {text.keep}
        </Tick>
      )}
      <p id={id} className={isExplained ? styles['note'] : 'visually-hidden'}>
        {explained}
      </p>
    </div>
  );
};
