import { useMemo, useRef, useState, useEffect, type ReactElement } from 'react';
import type { AppEvent } from '../../state/pictures';
import { Filmstrip } from '../filmstrip/filmstrip';
import { GridView } from '../grid/grid-view';
import { ViewProvider, type View } from '../library/view';
import { useMessages } from '../messages';
import { Panel } from '../panel/panel';
import { useAppState, useServices } from '../services';
import { useKeptFocus } from '../shell/use-kept-focus';
import { Stage } from '../stage/stage';
import { NO_PLAYHEAD, type Playhead } from '../video/playhead';
import styles from './workspace.module.css';

/** Elements that handle arrow keys themselves. */
const TAKES_KEYS = 'input, select, textarea, [role="slider"], [role="listbox"]';

const EVENTS: Readonly<Record<string, AppEvent>> = {
  ArrowLeft: { type: 'stepped', by: -1 },
  ArrowRight: { type: 'stepped', by: 1 },
};

/** The left and right arrow keys select the previous and next file. */
const usePictureKeys = (): void => {
  const { store } = useServices();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const step = EVENTS[event.key];
      const isTaken = event.target instanceof Element && event.target.matches(TAKES_KEYS);
      if (!step || isTaken || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      store.send(step);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [store]);
};

/** The second screen: the selected file, the filmstrip and the settings. */
export const Workspace = (): ReactElement => {
  const messages = useMessages();
  const { pictures, selectedId } = useAppState();
  const picture = pictures.find(({ id }) => id === selectedId);
  const playhead = useRef(NO_PLAYHEAD);
  const ofVideo = useMemo(
    (): Playhead => ({
      seek: (target) => playhead.current.seek(target),
      nowS: () => playhead.current.nowS(),
    }),
    [],
  );
  const [view, setView] = useState<View>('one');
  const choice = useMemo(() => ({ view, setView }), [view]);
  usePictureKeys();
  useKeptFocus(view);
  return (
    <main className={styles['workspace']}>
      <h1 className="visually-hidden">{messages.files.list}</h1>
      <ViewProvider value={choice}>
        {view === 'grid' ? (
          <GridView onOpen={() => setView('one')} />
        ) : (
          <>
            {picture && <Stage picture={picture} playhead={playhead} />}
            <Filmstrip />
          </>
        )}
      </ViewProvider>
      <Panel picture={view === 'one' ? picture : undefined} playhead={ofVideo} />
    </main>
  );
};
