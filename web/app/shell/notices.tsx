import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useStore } from '../../state/store';
import { useMessages, type Messages } from '../messages';
import { useServices, useAppState } from '../services';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { countObjects, type MediaItem } from '../../state/media-item';

const announcement = ({ file, status, error, result }: MediaItem, messages: Messages): string | undefined => {
  if (status === 'failed') {
    return messages.announceFailed(file.name, error === null ? messages.unexpected : messages.said(error));
  }
  if (status === 'done' && result) {
    return messages.announceDone(file.name, messages.objectCounts(countObjects(result.objects)));
  }
  return undefined;
};

/** Announces the result of each file to screen readers, and shows the progress in the tab's title. */
export const Announcer = (): ReactElement => {
  const messages = useMessages();
  const { items } = useAppState();
  const [text, setText] = useState('');
  const known = useRef(items);

  useEffect(() => {
    const changed = items.filter((item) => {
      const before = known.current.find(({ id }) => id === item.id);
      return before?.status !== item.status;
    });
    known.current = items;
    const news = changed.map((item) => announcement(item, messages)).filter((line) => line !== undefined);
    if (news.length > 0) setText(news.join('. '));
  }, [items]);

  useEffect(() => {
    const ended = items.filter(({ status }) => status === 'done' || status === 'failed').length;
    document.title = ended < items.length ? messages.titleWorking(ended, items.length) : messages.pageTitle;
  }, [items]);

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
