import { useEffect, useRef, useState, type ReactElement } from 'react';
import { measureSpeed, type Speed } from '../../state/measure-speed';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useAppState, useServices } from '../services';
import { Button } from '../ui/button';
import styles from './about.module.css';

type Measuring = 'idle' | 'running' | 'failed' | Speed;

/** Measures the speed of this machine on request, but never while files wait to be processed. */
export const SpeedSection = (): ReactElement => {
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
