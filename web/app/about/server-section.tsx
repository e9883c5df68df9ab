import { useEffect, useState, type FormEvent, type ReactElement } from 'react';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import styles from './about.module.css';
import { Notice } from '../ui/notice';

/** Switch that sends files to the server, with an explanation of the consequences. */
const TurnOn = (): ReactElement => {
  const text = useMessages().server;
  const { server } = useServices();
  const [token, setToken] = useState('');
  const [refusal, setRefusal] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void server.turnOn(token).then((sentence) => setRefusal(sentence ?? ''));
  };
  return (
    <form className={styles['form']} onSubmit={submit}>
      <p>{text.offer(server.address)}</p>
      <label>
        {text.token}
        <input
          type="password"
          autoComplete="off"
          value={token}
          onChange={({ currentTarget }) => setToken(currentTarget.value)}
        />
      </label>
      <p className={styles['note']}>{text.tokenHint}</p>
      <div className={styles['actions']}>
        <Button type="submit">{text.turnOn}</Button>
      </div>
      <Notice variant="line" isWarning role="alert">
        {refusal}
      </Notice>
    </form>
  );
};

/** Section on where files are processed: in this tab, or on the server that the page was loaded from. */
export const ServerSection = (): ReactElement => {
  const text = useMessages().server;
  const { server } = useServices();
  const { isOn } = useStore(server.use, (current) => current);
  const [isThere, setThere] = useState<boolean>();
  useEffect(() => void server.find().then(setThere), [server]);
  return (
    <section className={styles['section']} data-testid="server">
      <h3>{text.title}</h3>
      <p role="status">{isOn ? text.on(server.address) : text.tab}</p>
      {isOn && (
        <div className={styles['actions']}>
          <Button onClick={server.turnOff}>{text.turnOff}</Button>
        </div>
      )}
      <details>
        <summary>{text.limitsTitle}</summary>
        <ul className={styles['list']}>
          {text.limits.map((limit) => (
            <li key={limit}>{limit}</li>
          ))}
        </ul>
      </details>
      {!isOn && isThere === true && <TurnOn />}
      {!isOn && isThere !== true && (
        <p className={styles['note']}>{isThere === false ? text.none(server.address) : text.searching}</p>
      )}
    </section>
  );
};
