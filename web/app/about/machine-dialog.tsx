import { useEffect, useRef, useState, type ReactElement } from 'react';
import { measureSpeed, type Speed } from '../../state/measure-speed';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { Dialog } from '../ui/dialog';
import { KeepSwitch } from '../library/keep-switch';
import { useAppState, useServices } from '../services';
import { Button } from '../ui/button';
import { ModelsSection } from './models-section';
import { OfflineSection } from './offline-section';
import { ServerSection } from './server-section';
import styles from './about.module.css';

type Measuring = 'idle' | 'running' | 'failed' | Speed;

/** Measures the speed of this machine on request, but never while files wait to be processed. */
const SpeedSection = (): ReactElement => {
  const text = useMessages().speed;
  const { anonymiser, engine, makeTestPicture } = useServices();
  const { pictures, settings } = useAppState();
  const isReady = useStore(engine.status, ({ state }) => state === 'ready');
  const isBusy = pictures.some(({ status }) => status === 'waiting' || status === 'processing');
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
    const measured = await measureSpeed(anonymiser, makeTestPicture, settings, signal).catch(
      () => 'failed' as const,
    );
    if (!signal.aborted) setState(measured);
  };
  return (
    <section className={styles['section']} data-testid="speed">
      <h3>{text.title}</h3>
      <p role="status">
        {state === 'idle' && text.idle}
        {state === 'running' && text.running}
        {state === 'failed' && text.failed}
        {typeof state === 'object' && text.measured(state.seconds, state.megapixelsPerSecond)}
      </p>
      <div className={styles['actions']}>
        <Button disabled={!isReady || isBusy || state === 'running'} onClick={() => void measure()}>
          {text.measure}
        </Button>
      </div>
      {isBusy && <p className={styles['note']}>{text.busy}</p>}
    </section>
  );
};

/** How long the user's files stay on this device, and a button to remove them. */
const PicturesSection = (): ReactElement => {
  const text = useMessages().storage;
  const { store } = useServices();
  const { pictures } = useAppState();
  return (
    <section className={styles['section']} data-testid="kept-pictures">
      <h3>{text.title}</h3>
      <p>{text.count(pictures.length)}</p>
      <KeepSwitch isExplained />
      <div className={styles['actions']}>
        <Button disabled={pictures.length === 0} onClick={() => store.send({ type: 'cleared' })}>
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
      <PicturesSection />
      <OfflineSection />
    </Dialog>
  );
};
