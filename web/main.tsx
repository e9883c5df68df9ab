import { StrictMode } from 'react';
import { REVIEW_QUERY } from '#shared/domain/review';
import { recogniseFormat } from '#shared/engine/formats/recognise';
import { createRoot } from 'react-dom/client';
import { log } from './adapters/log';
import { claimTabFolder } from './adapters/tab-folder';
import { App } from './app/app';
import './app/fonts.css';
import './app/tokens.css';
import 'virtual:classes.css';
import './app/base.css';
import { useLanguage } from './app/messages';
import { ServicesProvider, type AppServices } from './app/services';
import { loadFirstCatalogue } from './app/shell/language';
import { compose, type Host } from './host/compose';
import { createLibraryFiles, createTaskRecorder } from './host/library-files';
import { createOwnModelPorts } from './host/own-models';
import { reportClosedTab, startPageWorker, type PageWorker } from './host/page-worker';
import { fetchFromServer } from './host/send-to-server';
import { createServerAnonymiser, serverAccess } from './host/server-host';
import { createResultStore } from './host/result-store';
import { createAnonymiser, firstResult } from './state/api-anonymiser';
import { createEngineLoader, type EngineLoader } from './state/engine-status';
import { countUncertain } from './state/uncertain/list-uncertain';
import { addFiles } from './state/add-files';
import { createRoutedAnonymiser, type ChosenServer, type ResultEditor } from './state/server-anonymiser';
import { storedReviewer } from './state/stored-choice';
import { createServerChoice, type ServerChoice, type ServerUse } from './state/server-use';
import { newItem } from './state/media-item';
import type { SubjectHost } from './state/subjects/shown-person';
import { createLibrary } from './state/keeping';
import { hasUnstored, startLibrary } from './state/library';
import {
  type Offline,
  type OfflineStore,
  createOffline,
  startUpdate,
  startTraffic,
} from './state/service-worker';
import { createOwnModelStore, type OwnModelStore } from './state/own-models';
import { emptyState, reduceApp, type AppEvent, type AppState } from './state/app-reducer';
import { startApplyingEdits, ProcessingFailed, startWork } from './state/work';
import { defaultSettings } from './state/settings';
import { createStore, type Store } from './state/store';
import { startThumbnails } from './state/thumbnails';
import { startRecordingDecisions } from './state/uncertain/record-decisions';
import type { MetadataKind } from '#shared/domain/image-header';
import { findMetadata as findIn } from '#shared/engine/formats/read-header';

/** Returns the kinds of metadata in an image file; an empty list if the file no longer exists. */
const findMetadata = async (file: Blob): Promise<readonly MetadataKind[]> => {
  try {
    return await findIn(new Uint8Array(await file.arrayBuffer()));
  } catch {
    return [];
  }
};

/** Maximum time that the first paint waits for the typeface, so that no text moves when it arrives. */
const FONT_WAIT_MS = 400;
/** Font weights of `fonts.css`. */
const WEIGHTS = [400, 500, 700];

const fontLoaded = (): Promise<unknown> =>
  Promise.race([
    Promise.allSettled(WEIGHTS.map((weight) => document.fonts.load(`${weight} 1em Roboto`))),
    new Promise((resolve) => setTimeout(resolve, FONT_WAIT_MS)),
  ]);

/** Stores files for offline use only after the models are loaded, so that it does not slow them down. */
const storeWhenLoaded = ({ status }: EngineLoader, offline: Offline): void => {
  const unsubscribe = status.subscribe(() => {
    const loaded = status.get();
    if (loaded.state !== 'ready') return;
    unsubscribe();
    void offline.complete(loaded.backend.startsWith('webgpu'));
  });
};

/** Makes the browser ask before it leaves a page with files that would be lost. */
const askBeforeLoss = (store: Pick<Store<AppState, AppEvent>, 'get'>): void => {
  addEventListener('beforeunload', (event) => {
    if (hasUnstored(store.get())) event.preventDefault();
  });
};

/** Adds files that another app has shared with the page. */
const addShared = (store: Store<AppState, AppEvent>, worker: Pick<PageWorker, 'takeShared'>): void => {
  void worker.takeShared().then(
    (files) => addFiles(store, files),
    () => undefined, // no worker: nothing was shared
  );
};

/** So much of a file's beginning tells its kind. */
const HEAD_BYTES = 32;

/** An image that browsers can show. The code for that is loaded with the first file that is neither JPEG nor PNG. */
const displayable = async (file: File): Promise<Blob> => {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const isShown = ['jpeg', 'png', undefined].includes(recogniseFormat(head));
  return isShown ? file : (await import('./adapters/previews')).displayable(file);
};

const makeTestImage = async (): Promise<File> => (await import('./adapters/test-image')).makeTestImage();

const soundPeaks: AppServices['soundPeaks'] = async (...args) =>
  (await import('./adapters/previews')).soundPeaks(...args);

const bagsOf = (host: Host) => async () => (await import('./host/bags')).createBags(host);

/** Creates the store of added models. The engine reloads when they change. */
const createOwnModels = (host: Host, engine: EngineLoader, worker: PageWorker): OwnModelStore =>
  createOwnModelStore({
    ...createOwnModelPorts(worker.ready),
    onChange: () => {
      host.renewEngine();
      return engine.load();
    },
  });

/** Removes added models before the stored files: the default models are then loaded while their files still exist. */
const withOwnModels = (worker: PageWorker, ownModels: OwnModelStore): OfflineStore => ({
  ...worker,
  remove: async () => {
    await ownModels.clear();
    await worker.remove();
  },
});

const serverHost = ({ token, signal }: ServerUse & { isOn: true }): SubjectHost => ({
  ...{ name: 'server', signal },
  client: serverAccess.client(token),
});
const tabHost = ({ client }: Host): SubjectHost => ({ name: 'tab', client });

/** Code of the person who stays visible is loaded only for one. */
const subjectIdOn =
  (host: SubjectHost) =>
  async (show: string): Promise<string> =>
    (await import('./state/subjects/shown-person')).subjectIdOn(host, show);

/** The host that processes the next files. */
const hostOf = (host: Host, server: ServerChoice): SubjectHost => {
  const use = server.use.get();
  return use.isOn ? serverHost(use) : tabHost(host);
};

/** Processes files in this page, or on the server while it is selected. */
const createAnonymisers = (host: Host, server: ServerChoice): ResultEditor => {
  const tab = createAnonymiser(host.client, {
    reviewer: storedReviewer,
    subjectId: subjectIdOn(tabHost(host)),
  });
  const chosen = (): ChosenServer | undefined => {
    const use = server.use.get();
    if (!use.isOn) return undefined;
    const own = serverHost(use);
    return {
      anonymiser: createServerAnonymiser(use.token, own.client, subjectIdOn(own)),
      signal: use.signal,
    };
  };
  return createRoutedAnonymiser(tab, chosen, createResultStore(host.storage));
};

/** Results of the server can be edited while it is selected. A page that ends deselects it, and the server deletes them. */
const releaseServer = (server: ServerChoice, store: Store<AppState, AppEvent>): void => {
  server.use.subscribe(() => {
    if (!server.use.get().isOn) store.send({ type: 'server-deselected' });
  });
  addEventListener('pagehide', ({ persisted }) => {
    if (!persisted) server.turnOff();
  });
};

const startProcessing = (store: Store<AppState, AppEvent>, anonymiser: ResultEditor): void => {
  startWork(store, anonymiser);
  startApplyingEdits(store, anonymiser);
  startRecordingDecisions(store, anonymiser);
  startThumbnails(store, anonymiser, displayable);
};

const createModelLoader = ({ loadEngine }: Host): EngineLoader =>
  createEngineLoader(loadEngine, (cause) => log.error('The models could not be loaded', cause));

/** The code of reviews is loaded only for one. */
const openReview = async () =>
  (await import('./review')).openReview({
    ...{ log, access: serverAccess },
    ...{ createServerAnonymiser, fetchFromServer, firstResult, newItem, ProcessingFailed, useLanguage },
    countUncertain,
  });

const start = async (): Promise<void> => {
  const appearance = Promise.all([loadFirstCatalogue(), fontLoaded()]);
  const worker = startPageWorker();
  const review = location.search === REVIEW_QUERY ? await openReview() : undefined;
  const folder = review ? undefined : await claimTabFolder(log, reportClosedTab);
  const host = compose({
    openFolder: folder?.open,
    onTasksChange: folder && createTaskRecorder(folder, log),
    onEngineRestart: () => void engine.load(),
  });
  const defaults = defaultSettings();
  const store = createStore(reduceApp, emptyState(defaults));
  const server = createServerChoice(serverAccess, worker.ready);
  const anonymiser = review?.anonymiser ?? createAnonymisers(host, server);
  releaseServer(server, store);
  const engine = createModelLoader(host);
  startProcessing(store, anonymiser);
  const ownModels = createOwnModels(host, engine, worker);
  const offline = createOffline(withOwnModels(worker, ownModels));
  const traffic = startTraffic(worker);

  const lost = folder
    ? await startLibrary(store, createLibraryFiles(folder, host), (cause) =>
        log.error('Files could not be kept', cause),
      )
    : [];
  askBeforeLoss(store);
  const [catalogue] = await appearance;
  const services = {
    store,
    engine,
    anonymiser,
    banner: review?.banner,
    classes: host.classes,
    defaults,
    displayable,
    findMetadata,
    library: createLibrary(folder, lost),
    ...{ makeTestImage, soundPeaks },
    ...{ offline, ownModels, openBags: bagsOf(host) },
    server,
    ...(!review && { subjectHost: () => hostOf(host, server) }),
    traffic,
    update: startUpdate(worker),
  };
  createRoot(document.getElementById('app') as HTMLElement).render(
    <StrictMode>
      <ServicesProvider value={services}>
        <App catalogue={catalogue} />
      </ServicesProvider>
    </StrictMode>,
  );
  void review?.start(store);
  addShared(store, worker);
  void engine.load();
  storeWhenLoaded(engine, offline);

  // After the first paint, because no screen waits for it.
  const { mountApi } = await import('./host/mount-msw');
  await mountApi(host, worker).catch((cause: unknown) =>
    log.error('The API is not offered to scripts of this page', cause),
  );
};

void start();
