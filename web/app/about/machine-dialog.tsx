import { useEffect, useRef, useState, type ReactElement, type FormEvent } from 'react';
import { measureSpeed, type Speed } from '../../state/measure-speed';
import { useStore } from '../../state/store';
import { useMessages, type Messages } from '../messages';
import { Dialog } from '../ui/dialog';
import { KeepSwitch } from '../library/batch';
import { useAppState, useServices } from '../services';
import { useRead } from '../ui/use-loaded';
import { Button } from '../ui/button';
import { ModelsSection } from './models-section';
import about from './about.module.css';
import type { OfflineStatus } from '../../state/service-worker';
import { WaitingList } from '../release/waiting-list';
import { Notice } from '../ui/notice';

/** Switch that sends files to the server, with an explanation of the consequences. */
const TurnOn = (): ReactElement => {
  const { server: text, said } = useMessages();
  const { server } = useServices();
  const [token, setToken] = useState('');
  const [refusal, setRefusal] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void server.turnOn(token).then((sentence) => setRefusal(sentence ?? ''));
  };
  return (
    <form className={`stack ${about['form']}`} onSubmit={submit}>
      <p>{text.offer(server.address)}</p>
      <label className="field">
        {text.token}
        <input
          type="password"
          autoComplete="off"
          value={token}
          onChange={({ currentTarget }) => setToken(currentTarget.value)}
        />
      </label>
      <p className="soft">{text.tokenHint}</p>
      <div className="row">
        <Button type="submit">{text.turnOn}</Button>
      </div>
      <Notice isWarning role="alert">
        {said(refusal)}
      </Notice>
    </form>
  );
};

/** Section on where files are processed: in this tab, or on the server that the page was loaded from. */
const ServerSection = (): ReactElement => {
  const text = useMessages().server;
  const { server } = useServices();
  const { isOn } = useStore(server.use, (current) => current);
  const isThere = useRead(() => server.find(), [server]);
  return (
    <section className={about['section']} data-testid="server">
      <h3>{text.title}</h3>
      <p role="status">{isOn ? text.on(server.address) : text.tab}</p>
      {isOn && (
        <div className="row">
          <Button onClick={server.turnOff}>{text.turnOff}</Button>
        </div>
      )}
      {isOn && <WaitingList />}
      <details>
        <summary>{text.limitsTitle}</summary>
        <ul className={about['list']}>
          {text.limits.map((limit) => (
            <li key={limit}>{limit}</li>
          ))}
        </ul>
      </details>
      {!isOn && isThere === true && <TurnOn />}
      {!isOn && isThere !== true && (
        <p className="soft">{isThere === false ? text.none(server.address) : text.searching}</p>
      )}
    </section>
  );
};

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
  // Absent on pages that are not secure.
  const storage = navigator.storage as StorageManager | undefined;
  return useRead(() => storage?.estimate(), [occasion], true)?.usage;
};

/** State of the offline storage, its size, and a button to remove it. */
const OfflineSection = (): ReactElement => {
  const text = useMessages().offline;
  const { offline } = useServices();
  const status = useStore(offline.status, (current) => current);
  const usage = useUsage(status);
  return (
    <section className={about['section']} data-testid="offline" data-state={status.kind}>
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
      <div className="row">
        <Button
          disabled={status.kind === 'removed' || status.kind === 'unavailable'}
          onClick={() => void offline.remove()}
        >
          {text.remove}
        </Button>
      </div>
      <p className="soft">{text.removeHint}</p>
    </section>
  );
};

type Measuring = 'idle' | 'running' | 'failed' | Speed;

/** Measures the speed of this machine on request, but never while files wait to be processed. */
const SpeedSection = (): ReactElement => {
  const text = useMessages().speed;
  const { anonymiser, engine, makeTestImage } = useServices();
  const { items, settings } = useAppState();
  const isReady = useStore(engine.status, ({ state }) => state === 'ready');
  const isBusy = items.some(({ status }) => status === 'waiting' || status === 'processing');
  const [state, setState] = useState<Measuring>('idle');
  const stop = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    stop.current = controller;
    return () => controller.abort();
  }, []);

  const measure = async (): Promise<void> => {
    const { signal } = stop.current;
    setState('running');
    const measured = await measureSpeed(anonymiser, makeTestImage, settings, signal).catch(
      () => 'failed' as const,
    );
    if (!signal.aborted) setState(measured);
  };
  return (
    <section className={about['section']} data-testid="speed">
      <h3>{text.title}</h3>
      <p role="status">
        {state === 'idle' && text.idle}
        {state === 'running' && text.running}
        {state === 'failed' && text.failed}
        {typeof state === 'object' && text.measured(state.seconds, state.megapixelsPerSecond)}
      </p>
      <div className="row">
        <Button disabled={!isReady || isBusy || state === 'running'} onClick={() => void measure()}>
          {text.measure}
        </Button>
      </div>
      {isBusy && <p className="soft">{text.busy}</p>}
    </section>
  );
};

/** How long the user's files stay on this device, and a button to remove them. */
const ItemsSection = (): ReactElement => {
  const text = useMessages().storage;
  const { store } = useServices();
  const { items } = useAppState();
  return (
    <section className={about['section']} data-testid="kept-pictures">
      <h3>{text.title}</h3>
      <p>{text.count(items.length)}</p>
      <KeepSwitch isExplained />
      <div className="row">
        <Button disabled={items.length === 0} onClick={() => store.send({ type: 'cleared' })}>
          {text.clear}
        </Button>
      </div>
    </section>
  );
};

/** Dialog "On this device": models, speed, server, files and offline storage. */
export const MachineDialog = ({ onClose }: { readonly onClose: () => void }): ReactElement => {
  const messages = useMessages();
  return (
    <Dialog title={messages.device.title} onClose={onClose}>
      <p>{messages.device.lead}</p>
      <ModelsSection />
      <SpeedSection />
      <ServerSection />
      <ItemsSection />
      <OfflineSection />
    </Dialog>
  );
};
