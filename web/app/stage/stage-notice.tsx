import type { ReactElement } from 'react';
import { isVideo, type MediaItem } from '../../state/media-item';
import { isOutdated } from '../../state/wanted-edits';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import { Icon } from '../ui/icons';
import { SteadyText } from '../ui/steady-text';
import styles from './stage-notice.module.css';

/** Over the picture: how far it is, or why there is no result. */
export const StageNotice = ({ picture }: { readonly picture: MediaItem }): ReactElement | null => {
  const { id, status, progress, error } = picture;
  const messages = useMessages();
  const { store } = useServices();
  switch (status) {
    case 'done':
      return isOutdated(picture) ? <p className={styles['changing']}>{messages.review.changing}</p> : null;
    case 'failed':
      return (
        <div
          className={styles['failed']}
          data-testid="error"
          onPointerDown={(event) => event.stopPropagation()}
        >
          <Icon name="warning" size={28} />
          <p className={styles['title']}>
            {isVideo(picture) ? messages.video.failedTitle : messages.stage.failedTitle}
          </p>
          {/* The API's sentences are in English. */}
          <p lang={error === null ? undefined : 'en'}>{error ?? messages.unexpected}</p>
          <div className={styles['actions']}>
            <Button onClick={() => store.send({ type: 'retried', id })}>{messages.stage.retry}</Button>
            <Button onClick={() => store.send({ type: 'removed', id })}>{messages.stage.remove}</Button>
          </div>
        </div>
      );
    case 'waiting':
    case 'processing':
      return (
        <div className={styles['working']}>
          <SteadyText others={[messages.stage.waiting, messages.stage.working(1)]}>
            {status === 'waiting' ? messages.stage.waiting : messages.stage.working(progress)}
          </SteadyText>
          <progress max={1} value={progress} aria-label={messages.stage.working(progress)} />
        </div>
      );
  }
};
