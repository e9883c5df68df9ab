import type { Labels } from '#shared/domain/manifest';
import type { OpenedModel, RefusedFiles } from '../adapters/model-trials';
import type { ModelFacts } from '../host/list-models';
import type { InspectedModel, ModelChoice, ModelTrial, TrialRefusal } from '../workers/model-trial';
import {
  createRecommendedModels,
  type RecommendedModels,
  type RecommendedPack,
  type RecommendedPorts,
} from './recommended-models';
import { createStore, createValue, type Readable, type Store } from './store';

/** Progress of a test. */
export type TrialStatus =
  | { readonly kind: 'untried' }
  | { readonly kind: 'running' }
  | { readonly kind: 'tried'; readonly trial: ModelTrial; readonly image: File }
  | { readonly kind: 'keeping' }
  | { readonly kind: 'refused'; readonly refusal: TrialRefusal };

/** Progress of adding a model. */
export type AddingStatus =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading' }
  | { readonly kind: 'refused'; readonly name: string; readonly refusal: TrialRefusal }
  | {
      readonly kind: 'opened';
      readonly model: InspectedModel;
      readonly choice: ModelChoice;
      readonly trial: TrialStatus;
    }
  | { readonly kind: 'added'; readonly name: string };

/** Models that the user adds to the default ones. */
export interface OwnModelStore {
  /** False if this browser provides no storage. */
  readonly isOffered: boolean;
  readonly adding: Readable<AddingStatus>;
  /** All models; read again when `changes` has another number. */
  list(usedPacks: readonly string[] | undefined): Promise<readonly ModelFacts[]>;
  readonly changes: Readable<number>;
  /** Models that the page can download. */
  readonly recommended: RecommendedModels;
  listRecommended(): Promise<readonly RecommendedPack[]>;
  /** Reads files, and discards what was read before. */
  open(files: readonly File[]): Promise<void>;
  /** Selects another interpretation of the model, which must be tested again. */
  choose(choice: ModelChoice): void;
  try(image: () => Promise<File>): Promise<void>;
  /** Uses the tested model from the next image on. */
  use(): Promise<void>;
  /** Discards the model that was read. */
  discard(): void;
  remove(packId: string): Promise<void>;
  /** Removes all added models. */
  clear(): Promise<void>;
}

export interface OwnModelPorts extends RecommendedPorts {
  readonly isOffered: boolean;
  list(usedPacks: readonly string[] | undefined): Promise<readonly ModelFacts[]>;
  remove(packId: string): Promise<void>;
  listRecommended(): Promise<readonly RecommendedPack[]>;
  /** @returns whether there were any */
  clear(): Promise<boolean>;
}

/** Whether the model's classes are known. */
export const isNamed = ({ pack, readings }: InspectedModel, { reading, labels }: ModelChoice): boolean =>
  pack !== undefined || readings[reading]?.reading.classes !== undefined || Object.keys(labels).length > 0;

const labelsOf = ({ readings }: InspectedModel, reading: number): Labels => readings[reading]?.labels ?? {};

/** One interpretation of the model, with its known classes. */
export const choiceOf = (model: InspectedModel, reading: number): ModelChoice => ({
  reading,
  labels: labelsOf(model, reading),
});

const tryOn = async (model: OpenedModel, choice: ModelChoice, image: File): Promise<TrialStatus> => {
  const answer = await model.try(choice, image);
  return 'refusal' in answer
    ? { kind: 'refused', refusal: answer.refusal }
    : { kind: 'tried', trial: answer, image };
};

const statusOf = (answer: OpenedModel | RefusedFiles, name: string): AddingStatus => {
  if ('refusal' in answer) return { kind: 'refused', name, refusal: answer.refusal };
  const { model } = answer;
  return { kind: 'opened', model, choice: choiceOf(model, 0), trial: { kind: 'untried' } };
};

const withTrial = (status: AddingStatus, trial: TrialStatus): AddingStatus =>
  status.kind === 'opened' ? { ...status, trial } : status;

const createStatus = (): Store<AddingStatus, AddingStatus> => createValue<AddingStatus>({ kind: 'none' });

type Steps = Pick<OwnModelStore, 'adding' | 'open' | 'choose' | 'try' | 'use' | 'discard'>;

/** Adds a model step by step: it is read, assigned to classes, tested, and only then used. */
const createSteps = (ports: Pick<OwnModelPorts, 'open'>, onUse: () => Promise<void>): Steps => {
  const adding = createStatus();
  let opened: OpenedModel | undefined;
  let name = '';
  /** Incremented by each step. A step that finds another number afterwards was superseded. */
  let turn = 0;

  const forget = (): number => {
    opened?.close();
    opened = undefined;
    return ++turn;
  };
  const setTrial = (trial: TrialStatus): void => adding.send(withTrial(adding.get(), trial));

  return {
    adding,
    open: async (files) => {
      if (files.length === 0) return;
      const mine = forget();
      name = files.map((file) => file.name).join(', ');
      adding.send({ kind: 'reading' });
      const answer = await ports.open(files);
      const answered = 'refusal' in answer ? undefined : answer;
      if (mine !== turn) return answered?.close();
      opened = answered;
      adding.send(statusOf(answer, name));
    },
    choose: (choice) => {
      const status = adding.get();
      if (status.kind !== 'opened' || status.trial.kind === 'keeping') return;
      turn++; // the running test belongs to another choice
      adding.send({ ...status, choice, trial: { kind: 'untried' } });
    },
    try: async (makeImage) => {
      const status = adding.get();
      if (status.kind !== 'opened' || !opened || !isNamed(status.model, status.choice)) return;
      const mine = ++turn;
      setTrial({ kind: 'running' });
      const tried = await tryOn(opened, status.choice, await makeImage());
      if (mine === turn) setTrial(tried);
    },
    use: async () => {
      const status = adding.get();
      if (status.kind !== 'opened' || status.trial.kind !== 'tried' || !opened) return;
      const mine = ++turn;
      setTrial({ kind: 'keeping' });
      const answer = await opened.keep();
      const isLast = mine === turn;
      if ('refusal' in answer) return isLast ? setTrial({ kind: 'refused', ...answer }) : undefined;
      if (isLast) {
        forget();
        adding.send({ kind: 'added', name });
      }
      await onUse();
    },
    discard: () => {
      forget();
      adding.send({ kind: 'none' });
    },
  };
};

/** Creates the store of added models. */
export const createOwnModelStore = (ports: OwnModelPorts): OwnModelStore => {
  const changes = createStore<number, 'changed'>((count) => count + 1, 0);
  const changed = async (): Promise<void> => {
    changes.send('changed');
    await ports.onChange();
  };
  return {
    ...createSteps(ports, changed),
    recommended: createRecommendedModels({ ...ports, onChange: changed }),
    listRecommended: ports.listRecommended,
    isOffered: ports.isOffered,
    changes,
    list: ports.list,
    remove: async (packId) => {
      await ports.remove(packId);
      await changed();
    },
    clear: async () => {
      if (await ports.clear()) await changed();
    },
  };
};
