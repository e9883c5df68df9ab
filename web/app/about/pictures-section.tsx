import type { ReactElement } from 'react';
import { KeepSwitch } from '../library/keep-switch';
import { useMessages } from '../messages';
import { useAppState, useServices } from '../services';
import { Button } from '../ui/button';
import styles from './about.module.css';

/** How long the user's files stay on this device, and a button to remove them. */
export const PicturesSection = (): ReactElement => {
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
