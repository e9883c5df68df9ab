import type { ReactElement } from 'react';
import { render } from 'vitest-browser-react';
import { OBJECT_CLASSES } from '#shared/domain/object-class';
import '../app/fonts.css';
import '../app/tokens.css';
import '../app/base.css';
import { ServicesProvider, useAppState, type AppServices } from '../app/services';
import type { MediaItem } from '../state/media-item';
import { createLibrary } from '../state/keeping';
import { reduceApp, type AppEvent, type AppState } from '../state/pictures';
import { createStore, type Store } from '../state/store';
import { SETTINGS } from './pictures';

/** Files of results: a picture of one colour. */
const anonymisedFile = async (): Promise<Blob> => {
  const canvas = new OffscreenCanvas(4, 3);
  canvas.getContext('2d')?.fillRect(0, 0, 4, 3);
  return canvas.convertToBlob();
};

/**
 * Renders a part of the page over a store of its own.
 *
 * Services that no part in a test uses are not there: one that comes to need more fails at once.
 * @param part called with the picture in view
 */
export const renderPart = async (
  state: AppState,
  part: (picture: MediaItem) => ReactElement,
): Promise<Store<AppState, AppEvent>> => {
  const store = createStore(reduceApp, state);
  const services = {
    store,
    defaults: SETTINGS,
    classes: OBJECT_CLASSES,
    library: createLibrary(undefined, []),
    anonymiser: { file: anonymisedFile },
  } as unknown as AppServices;
  const Part = (): ReactElement | null => {
    const { pictures, selectedId } = useAppState();
    const picture = pictures.find(({ id }) => id === selectedId);
    return picture ? part(picture) : null;
  };
  await render(
    <ServicesProvider value={services}>
      <Part />
    </ServicesProvider>,
  );
  return store;
};
