import type { ReactElement } from 'react';
import { render } from 'vitest-browser-react';
import { OBJECT_CLASSES } from '#shared/catalogue/classes';
import '../app/fonts.css';
import '../app/tokens.css';
import 'virtual:classes.css';
import '../app/base.css';
import { ServicesProvider, useAppState, type AppServices } from '../app/services';
import type { MediaItem } from '../state/media-item';
import { createLibrary } from '../state/keeping';
import { reduceApp, type AppEvent, type AppState } from '../state/app-reducer';
import { createStore, createValue, type Store } from '../state/store';
import { SETTINGS } from './items';

/** Result file: an image of one colour. */
const anonymisedFile = async (): Promise<Blob> => {
  const canvas = new OffscreenCanvas(4, 3);
  canvas.getContext('2d')?.fillRect(0, 0, 4, 3);
  return canvas.convertToBlob();
};

/** Awaited, since sizes change when a font arrives. */
const loadFonts = (): Promise<unknown> => Promise.all([...document.fonts].map((font) => font.load()));

/**
 * Renders a component with its own store.
 *
 * Services that no test uses are missing, so a component that needs one fails at once.
 * @param part called with the image in view
 * @param more services of this test
 */
export const renderPart = async (
  state: AppState,
  part: (item: MediaItem) => ReactElement,
  more: Partial<AppServices> = {},
): Promise<Store<AppState, AppEvent>> => {
  const store = createStore(reduceApp, state);
  const services = {
    store,
    defaults: SETTINGS,
    classes: OBJECT_CLASSES,
    displayable: async (file: File) => file,
    soundPeaks: async () => ({
      hasSound: true,
      peaks: Float32Array.of(0.1, 1, 0.4, 0.2),
      speech: [],
      durationS: 20,
    }),
    library: createLibrary(undefined, []),
    anonymiser: { file: anonymisedFile },
    engine: { status: createValue({ state: 'loading', progress: 0 }) },
    ownModels: { isOffered: false },
    server: { use: createValue({ isOn: false }) },
    ...more,
  } as unknown as AppServices;
  const Part = (): ReactElement | null => {
    const { items, selectedId } = useAppState();
    const item = items.find(({ id }) => id === selectedId);
    return item ? part(item) : null;
  };
  await loadFonts();
  await render(
    <ServicesProvider value={services}>
      <Part />
    </ServicesProvider>,
  );
  return store;
};
