import { useRef, type ReactElement } from 'react';
import { Filmstrip } from '../filmstrip/filmstrip';
import { useMessages } from '../messages';
import { Panel } from '../panel/panel';
import { useAppState } from '../services';
import { Stage } from '../stage/stage';
import type { Seek } from '../video/seek';
import { usePictureKeys } from './use-picture-keys';
import styles from './workspace.module.css';

/** The second screen: a picture, the row of pictures, and the settings. */
export const Workspace = (): ReactElement => {
  const messages = useMessages();
  const { pictures, selectedId } = useAppState();
  const picture = pictures.find(({ id }) => id === selectedId);
  const seek = useRef<Seek>(() => undefined);
  usePictureKeys();
  return (
    <main className={styles['workspace']}>
      <h1 className="visually-hidden">{messages.pictures.list}</h1>
      {picture && <Stage picture={picture} seekRef={seek} />}
      <Filmstrip />
      <Panel picture={picture} onSeek={(target) => seek.current(target)} />
    </main>
  );
};
