import { useMemo, useRef, useState, type ReactElement } from 'react';
import { Filmstrip } from '../filmstrip/filmstrip';
import { GridView } from '../grid/grid-view';
import { ViewProvider, type View } from '../library/view';
import { useMessages } from '../messages';
import { Panel } from '../panel/panel';
import { useAppState } from '../services';
import { useKeptFocus } from '../shell/use-kept-focus';
import { Stage } from '../stage/stage';
import { NO_PLAYHEAD, type Playhead } from '../video/playhead';
import { usePictureKeys } from './use-picture-keys';
import styles from './workspace.module.css';

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
