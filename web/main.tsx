import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { makeTestPicture } from './adapters/test-picture';
import { App } from './app/app';
import './app/fonts.css';
import './app/tokens.css';
import './app/base.css';
import { ServicesProvider } from './app/services';
import { compose } from './host/compose';
import { findMetadata } from './host/find-metadata';
import { listModels } from './host/list-models';
import { startPageWorker } from './host/page-worker';
import { createAnonymiser } from './state/api-anonymiser';
import { createEngineLoader, type EngineLoader } from './state/engine-status';
import { createOffline, type Offline } from './state/offline';
import { emptyState, reduceApp } from './state/pictures';
import { defaultSettings } from './state/settings';
import { createStore } from './state/store';
import { startThumbnails } from './state/thumbnails';
import { startTraffic } from './state/traffic';
import { startUpdate } from './state/update';
import { startWork } from './state/work';

/** The longest that the first paint waits for the typeface, so that no text moves when it comes. */
const FONT_WAIT_MS = 400;
/** Those of `fonts.css`. */
const WEIGHTS = [400, 500, 700];

const fontLoaded = (): Promise<unknown> =>
  Promise.race([
    Promise.allSettled(WEIGHTS.map((weight) => document.fonts.load(`${weight} 1em Roboto`))),
    new Promise((resolve) => setTimeout(resolve, FONT_WAIT_MS)),
  ]);

/** What is put away for later must not slow down what is loaded now. */
const storeWhenLoaded = ({ status }: EngineLoader, offline: Offline): void => {
  const unsubscribe = status.subscribe(() => {
    const loaded = status.get();
    if (loaded.state !== 'ready') return;
    unsubscribe();
    void offline.complete(loaded.backend.startsWith('webgpu'));
  });
};

const start = async (): Promise<void> => {
  const host = compose(() => engine.load());
  const defaults = defaultSettings();
  const store = createStore(reduceApp, emptyState(defaults));
  const anonymiser = createAnonymiser(host.client, host.openVideo);
  const engine = createEngineLoader(host.loadEngine, (cause) =>
    host.log.error('The models could not be loaded', cause),
  );
  startWork(store, anonymiser);
  startThumbnails(store, anonymiser);
  const worker = startPageWorker();
  const offline = createOffline(worker);
  const traffic = startTraffic(worker);
  const update = startUpdate(worker);

  await fontLoaded();
  const services = {
    store,
    engine,
    anonymiser,
    classes: host.classes,
    defaults,
    findMetadata,
    listModels,
    makeTestPicture,
    offline,
    traffic,
    update,
  };
  createRoot(document.getElementById('app') as HTMLElement).render(
    <StrictMode>
      <ServicesProvider value={services}>
        <App />
      </ServicesProvider>
    </StrictMode>,
  );
  engine.load();
  storeWhenLoaded(engine, offline);

  // After the first paint: nobody waits for it.
  const { mountApi } = await import('./host/mount-msw');
  await mountApi(host, worker).catch((cause: unknown) =>
    host.log.error('The API is not offered to scripts of this page', cause),
  );
};

void start();
