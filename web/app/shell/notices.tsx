import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useStore } from '../../state/store';
import { useMessages, type Messages } from '../messages';
import { useServices, useAppState } from '../services';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { countObjects, type MediaItem } from '../../state/media-item';

const announcement = ({ file, status, error, result }: MediaItem, messages: Messages): string | undefined => {
  if (status === 'failed') return messages.announceFailed(file.name, error ?? messages.unexpected);
  if (status === 'done' && result) {
    return messages.announceDone(file.name, messages.objectCounts(countObjects(result.objects)));
  }
  return undefined;
};

/** Announces the result of each file to screen readers, and shows the progress in the tab's title. */
export const Announcer = (): ReactElement => {
  const messages = useMessages();
  const { pictures } = useAppState();
  const [text, setText] = useState('');
  const known = useRef(pictures);

  useEffect(() => {
    const changed = pictures.filter((picture) => {
      const before = known.current.find(({ id }) => id === picture.id);
      return before?.status !== picture.status;
    });
    known.current = pictures;
    const news = changed
      .map((picture) => announcement(picture, messages))
      .filter((line) => line !== undefined);
    if (news.length > 0) setText(news.join('. '));
  }, [pictures]);

  useEffect(() => {
    const ended = pictures.filter(({ status }) => status === 'done' || status === 'failed').length;
    document.title =
      ended < pictures.length ? messages.titleWorking(ended, pictures.length) : messages.pageTitle;
  }, [pictures]);

  return (
    <p className="visually-hidden" role="status">
      {text}
    </p>
  );
};

/** Warns that files leave this machine, as long as a server is selected. */
export const ServerBanner = (): ReactElement | null => {
  const text = useMessages().server;
  const { server } = useServices();
  const { isOn } = useStore(server.use, (current) => current);
  if (!isOn) return null;
  return (
    <Notice
      variant="banner"
      isWarning
      role="status"
      data-testid="server-banner"
      actions={<Button onClick={server.turnOff}>{text.turnOff}</Button>}
    >
      {text.on(server.address)}
    </Notice>
  );
};

/** Says which files an earlier visit had no room for. */
export const LostNotice = (): ReactElement | null => {
  const text = useMessages().storage;
  const { library } = useServices();
  const lost = useStore(library.lost, (current) => current);
  if (lost.length === 0) return null;
  return (
    <Notice
      variant="floating"
      role="status"
      data-testid="lost"
      actions={
        <Button variant="primary" onClick={() => library.dismissLost()}>
          {text.dismiss}
        </Button>
      }
    >
      {text.notStored(lost)}
    </Notice>
  );
};

/** Asks whether a new version may begin: work is cut off by that. */
export const UpdateNotice = (): ReactElement | null => {
  const text = useMessages().update;
  const { update } = useServices();
  const isOffered = useStore(update.isOffered, (current) => current);
  if (!isOffered) return null;
  return (
    <Notice
      variant="floating"
      role="status"
      heading={text.title}
      data-testid="update"
      actions={
        <>
          <Button variant="primary" onClick={update.accept}>
            {text.accept}
          </Button>
          <Button variant="quiet" onClick={update.decline}>
            {text.decline}
          </Button>
        </>
      }
    >
      {text.detail}
    </Notice>
  );
};
