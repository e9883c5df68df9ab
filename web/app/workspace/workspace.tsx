import { useMemo, useRef, useState, type ReactElement, type RefObject } from 'react';
import { isVideo, type MediaItem } from '../../state/media-item';
import type { AppEvent } from '../../state/app-reducer';
import { Filmstrip } from '../filmstrip/filmstrip';
import { GridView } from '../grid/grid-view';
import { ViewProvider, type View } from '../library/batch';
import { useMessages } from '../messages';
import { Panel } from '../panel/panel';
import { useAppState, useServices } from '../services';
import { useKeptFocus } from '../shell/use-kept-focus';
import { INITIAL_REVIEW } from '../review/tools';
import { StageCanvas } from '../stage/stage-canvas';
import type { StageOptions } from '../stage/stage-tools';
import type { Playhead } from '../video/use-playback';
import { useLoaded } from '../ui/use-loaded';
import { hasModifier, useKeys } from '../ui/use-keys';
import styles from './workspace.module.css';

/** Elements that handle arrow keys themselves. */
const TAKES_KEYS = 'input, select, textarea, [role="slider"], [role="listbox"]';

const EVENTS: Readonly<Record<string, AppEvent>> = {
  ArrowLeft: { type: 'stepped', by: -1 },
  ArrowRight: { type: 'stepped', by: 1 },
};

/** The left and right arrow keys select the previous and next file. */
const useItemKeys = (): void => {
  const { store } = useServices();
  useKeys((event) => {
    const step = EVENTS[event.key];
    const isTaken = event.target instanceof Element && event.target.matches(TAKES_KEYS);
    if (!step || isTaken || hasModifier(event)) return;
    event.preventDefault();
    store.send(step);
  });
};

/** While no video is in view. */
const NO_PLAYHEAD: Playhead = { seek: () => undefined, nowS: () => 0 };

const loadVideoStage = () => import('../video/video-stage');

const INITIAL: StageOptions = { divider: 0.5, hasBoxes: false, review: INITIAL_REVIEW };

/** The selected image or video. The divider position and the boxes stay when another file is selected. */
const Stage = ({
  item,
  playhead,
}: {
  readonly item: MediaItem;
  /** Receives the playback position of the selected video. */
  readonly playhead: RefObject<Playhead>;
}): ReactElement => {
  const messages = useMessages();
  const [options, setOptions] = useState(INITIAL);
  const isOfVideo = isVideo(item);
  const video = useLoaded(isOfVideo, loadVideoStage);
  const shown = { item, options, onOptions: setOptions };
  return (
    <section className="card" aria-label={messages.stage.region}>
      {video && <video.VideoStage key={item.id} {...shown} playhead={playhead} />}
      {!isOfVideo && <StageCanvas key={item.id} {...shown} />}
    </section>
  );
};

/** The second screen: the selected file, the filmstrip and the settings. */
export const Workspace = (): ReactElement => {
  const messages = useMessages();
  const { items, selectedId } = useAppState();
  const item = items.find(({ id }) => id === selectedId);
  const playhead = useRef(NO_PLAYHEAD);
  const ofVideo = useMemo(
    (): Playhead => ({
      seek: (target) => playhead.current.seek(target),
      nowS: () => playhead.current.nowS(),
      change: (object) => playhead.current.change?.(object),
    }),
    [],
  );
  const [view, setView] = useState<View>('one');
  const choice = useMemo(() => ({ view, setView }), [view]);
  useItemKeys();
  useKeptFocus(view);
  return (
    <main className={styles['workspace']}>
      <h1 className="visually-hidden">{messages.files.list}</h1>
      <ViewProvider value={choice}>
        {view === 'grid' ? (
          <GridView onOpen={() => setView('one')} />
        ) : (
          <>
            {item && <Stage item={item} playhead={playhead} />}
            <Filmstrip />
          </>
        )}
      </ViewProvider>
      <Panel item={view === 'one' ? item : undefined} playhead={ofVideo} />
    </main>
  );
};
