import { useEffect, useRef, useState, type ReactElement } from 'react';
import { countObjects, type MediaItem } from '../../state/media-item';
import { useMessages, type Messages } from '../messages';
import { useAppState } from '../services';

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
