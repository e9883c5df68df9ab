import type { ReactElement } from 'react';
import { countObjects, type MediaItem } from '../../state/media-item';
import { useMessages } from '../messages';
import { Icon } from '../ui/icons';
import styles from './stage-facts.module.css';

/** Name, size and object counts of the selected file. */
export const StageFacts = ({ picture: { file, result } }: { readonly picture: MediaItem }): ReactElement => {
  const messages = useMessages();
  return (
    <div className={styles['facts']}>
      <h2 title={file.name}>{file.name}</h2>
      <p data-testid="facts">
        {result ? (
          <>
            {messages.objectCounts(countObjects(result.objects))}
            <span className={styles['more']}>
              {' · '}
              {messages.stage.size(result.width, result.height)}
              {result.video && ` · ${messages.video.frameCount(result.video.frameCount)}`}
              {' · '}
              {messages.stage.seconds(result.durationS)}
            </span>
          </>
        ) : (
          '\u00a0'
        )}
      </p>
      {result?.revisable?.sparedMemory && (
        <p className={styles['warning']} role="note" data-testid="spared-memory">
          <Icon name="warning" size={16} />
          {messages.stage.lowMemory}
        </p>
      )}
    </div>
  );
};
