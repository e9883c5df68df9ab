import { useEffect, useState, type ReactElement } from 'react';
import type { ApiClient } from '#shared/api/client';
import type { TaskResponse } from '#shared/api/contract/schemas-tasks';
import { idOfFetched } from '../../state/fetched-results';
import { blobOf } from '../../state/result-files';
import { storedReviewer } from '../../state/stored-choice';
import about from '../about/about.module.css';
import { useMessages } from '../messages';
import { useReleaseTexts } from '../messages/release';
import { useServices } from '../services';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { useRead } from '../ui/use-loaded';
import { releaseProblem, wasChanged } from './release-problem';
import styles from './release.module.css';

interface WaitingProps {
  readonly client: ApiClient<File>;
  readonly task: TaskResponse;
}

interface PreviewProps extends WaitingProps {
  /** Called with the tag of the edits that it shows. */
  readonly onSeen: (tag: string | undefined) => void;
  /** Changes when it must be read again. */
  readonly attempt: number;
}

/** The anonymised file of a task. */
const Preview = ({ client, task, onSeen, attempt }: PreviewProps): ReactElement | null => {
  const { id, content_type: type } = task;
  const isVideo = type.startsWith('video/');
  const url = useRead(async () => {
    onSeen(await client.editsTag(id)); // before the file: a change in between is noticed
    const download = await (isVideo ? client.anonymisedVideo(id) : client.anonymised(id));
    return URL.createObjectURL(blobOf(download));
  }, [client, id, attempt]);
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url]);
  if (url === undefined) return null;
  return isVideo ? (
    <video className={styles['preview']} src={url} controls />
  ) : (
    <img className={styles['preview']} src={url} alt={task.filename} />
  );
};

const Row = ({
  client,
  task,
  onRelease,
}: WaitingProps & { readonly onRelease: () => void }): ReactElement => {
  const text = useReleaseTexts();
  const { said } = useMessages();
  const { store } = useServices();
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState('');
  const [tag, setTag] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  const { id, filename } = task;
  const release = (): void => {
    const reviewer = storedReviewer();
    const released = async (): Promise<unknown> =>
      client.release(id, reviewer ? { reviewer } : {}, tag ?? (await client.editsTag(id)));
    released().then(
      () => {
        store.send({ type: 'released', taskId: idOfFetched(id) });
        onRelease();
      },
      (cause: unknown) => {
        setProblem(releaseProblem(cause, text));
        if (wasChanged(cause)) setAttempt((before) => before + 1);
      },
    );
  };
  return (
    <li data-testid="waiting-result">
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{text.look(filename)}</summary>
        {isOpen && <Preview client={client} task={task} onSeen={setTag} attempt={attempt} />}
      </details>
      <Button aria-label={text.releaseNamed(filename)} onClick={release}>
        {text.release}
      </Button>
      <Notice isWarning role="alert">
        {said(problem)}
      </Notice>
    </li>
  );
};

/** What waits for its release on the selected server, whoever uploaded it; nothing where the token may not list tasks. */
export const WaitingList = (): ReactElement | null => {
  const text = useReleaseTexts();
  const { subjectHost } = useServices();
  const [client] = useState(() => subjectHost?.().client);
  const [turn, setTurn] = useState(0);
  const tasks = useRead(() => client?.tasks(), [client, turn], true) ?? [];
  const waiting = tasks.filter((task) => task.status === 'done' && task.released_at === null);
  if (!client || waiting.length === 0) return null;
  return (
    <div data-testid="waiting-results">
      <h4>{text.title}</h4>
      <p className="soft">{text.hint}</p>
      <ul className={`${about['list']} ${styles['list']}`}>
        {waiting.map((task) => (
          <Row key={task.id} client={client} task={task} onRelease={() => setTurn((before) => before + 1)} />
        ))}
      </ul>
    </div>
  );
};
