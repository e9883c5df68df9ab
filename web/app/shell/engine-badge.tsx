import type { ReactElement } from 'react';
import type { EngineStatus } from '../../state/engine-status';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import { SteadyText } from '../ui/steady-text';
import { readableBackend } from './readable-backend';
import { Notice } from '../ui/notice';
import styles from './shell.module.css';
import { useMachineDialog } from './use-machine-dialog';

type Usable = Exclude<EngineStatus, { state: 'failed' }>;

/** The longest name of a backend. */
const LONGEST_BACKEND = 'wasm (4 threads)';

/** Short text of the engine's state; on narrow screens the backend is for screen readers only. */
const Words = ({ status }: { readonly status: Usable }): ReactElement => {
  const { engine: text, models, percent } = useMessages();
  const isLacking = status.state === 'ready' && status.leftOut.length > 0;
  const word = isLacking ? models.leftOut : text.ready;
  const ready = (backend: string): string => `${word} · ${text.backend(readableBackend(backend))}`;
  const loading = (share: number): string => `${text.loading} ${percent(share)}`;
  const isLoading = status.state === 'loading';
  return (
    <>
      <SteadyText className={styles['long']} others={[loading(1), ready(LONGEST_BACKEND)]}>
        {isLoading ? loading(status.progress) : ready(status.backend)}
      </SteadyText>
      <SteadyText className={styles['short']} others={[percent(1), word]}>
        {isLoading && <span className="visually-hidden">{text.loading} </span>}
        {isLoading ? percent(status.progress) : word}
      </SteadyText>
    </>
  );
};

/** Button that shows the loading progress, then the backend, and opens the dialog "On this device". */
const Ready = ({ status }: { readonly status: Usable }): ReactElement => {
  const messages = useMessages();
  const { dialog, open } = useMachineDialog();
  const progress = status.state === 'loading' ? status.progress : 1;
  return (
    <>
      <button
        type="button"
        className={styles['engine']}
        title={messages.device.open}
        data-testid="engine"
        data-state={status.state}
        onClick={open}
      >
        <span className={styles['dot']} data-state={status.state} />
        <Words status={status} />
        <span className={styles['bar']} data-state={status.state} style={{ scale: `${progress} 1` }} />
      </button>
      {dialog}
    </>
  );
};

/** Shows whether the models are loaded, and a retry button after a failure. */
export const EngineBadge = (): ReactElement => {
  const messages = useMessages();
  const { engine } = useServices();
  const status = useStore(engine.status, (current) => current);
  if (status.state === 'failed') {
    return (
      <Notice
        isWarning
        role="alert"
        data-testid="engine"
        data-state="failed"
        actions={<Button onClick={engine.load}>{messages.engine.retry}</Button>}
      >
        {isSecureContext ? messages.engine.failedDetail : messages.engine.insecure}
      </Notice>
    );
  }
  return <Ready status={status} />;
};
