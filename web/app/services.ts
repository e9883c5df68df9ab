import { createContext, use, type ReactNode } from 'react';
import type { ObjectClass } from '#shared/catalogue/classes';
import type { MetadataKind } from '#shared/domain/image-header';
import type { BagHost } from '../state/bags/open-bag';
import type { EngineLoader } from '../state/engine-status';
import type { Library } from '../state/keeping';
import type { Offline, Update, Traffic } from '../state/service-worker';
import type { OwnModelStore } from '../state/own-models';
import type { AppEvent, AppState } from '../state/app-reducer';
import type { ServerChoice } from '../state/server-use';
import type { Settings } from '../state/settings';
import { type Readable, type Store, useStore } from '../state/store';
import type { SubjectHost } from '../state/subjects/shown-person';
import type { Anonymiser } from '../state/work';
import type { SoundPeaks } from '../workers/sound-peaks';

/** Services of the screens, created once at start. */
export interface AppServices {
  readonly store: Store<AppState, AppEvent>;
  readonly engine: EngineLoader;
  readonly anonymiser: Anonymiser;
  /** Shown below the header. */
  readonly banner?: ReactNode;
  readonly classes: readonly ObjectClass[];
  readonly defaults: Settings;
  /** An image that browsers can show: the file itself, or a preview of it. */
  displayable(file: File): Promise<Blob>;
  /** Reads the kinds of metadata in an image file. */
  findMetadata(file: File): Promise<readonly MetadataKind[]>;
  readonly library: Library;
  /** Creates the test image for the measurement of the speed. */
  makeTestImage(): Promise<File>;
  readonly offline: Offline;
  /** What processes bags, loaded with the first one. */
  openBags(): Promise<BagHost>;
  /** The default models and the models that the user added. */
  readonly ownModels: OwnModelStore;
  readonly server: ServerChoice;
  /** Reads the sound of a video, for its waveform. @param onPart receives what is read so far */
  soundPeaks(file: File, onPart: (sound: SoundPeaks) => void): Promise<SoundPeaks>;
  /** The host that processes files now; absent in reviews, which keep the person of each upload. */
  subjectHost?(): SubjectHost;
  readonly traffic: Readable<Traffic>;
  readonly update: Update;
}

const Services = createContext<AppServices | null>(null);
export const ServicesProvider = Services.Provider;

export const useServices = (): AppServices => {
  const services = use(Services);
  if (!services) throw new Error('The app is rendered without its services');
  return services;
};

export const useAppState = (): AppState => useStore(useServices().store, (state) => state);

/** The settings of all files, and how they change. */
export const useSettings = () => {
  const { store } = useServices();
  const { settings } = useAppState();
  return {
    settings,
    change: (changed: Settings): void => store.send({ type: 'settings-changed', settings: changed }),
  };
};
