import type { ReactElement } from 'react';
import { isVideo, type MediaItem } from '../../state/media-item';
import { isOutdated } from '../../state/wanted-edits';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { SteadyText } from '../ui/steady-text';

/** Over the picture: how far it is, or why there is no result. */
export const StageNotice = ({ picture }: { readonly picture: MediaItem }): ReactElement | null => {
  const { id, status, progress, error, revision } = picture;
  const messages = useMessages();
  const { store } = useServices();
  switch (status) {
    case 'done':
      return isOutdated(picture) ? <Notice variant="pill">{messages.review.changing}</Notice> : null;
    case 'failed':
      return (
        <Notice
          variant="cover"
          isWarning
          heading={isVideo(picture) ? messages.video.failedTitle : messages.stage.failedTitle}
          data-testid="error"
          onPointerDown={(event) => event.stopPropagation()}
          actions={
            <>
              <Button onClick={() => store.send({ type: 'retried', id })}>{messages.stage.retry}</Button>
              <Button onClick={() => store.send({ type: 'removed', id })}>{messages.stage.remove}</Button>
            </>
          }
        >
          {/* The API's sentences are in English. */}
          <p lang={error === null ? undefined : 'en'}>
            {error ?? (revision === 'failed' ? messages.review.notApplied : messages.unexpected)}
          </p>
        </Notice>
      );
    case 'waiting':
    case 'processing':
      return (
        <Notice variant="overlay">
          <SteadyText others={[messages.stage.waiting, messages.stage.working(1)]}>
            {status === 'waiting' ? messages.stage.waiting : messages.stage.working(progress)}
          </SteadyText>
          <progress max={1} value={progress} aria-label={messages.stage.working(progress)} />
        </Notice>
      );
  }
};
