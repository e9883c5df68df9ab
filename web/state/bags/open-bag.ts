import type { BagContents, BagFacts, BagOptions } from '#shared/domain/bag';
import type { Settings } from '../settings';
import { createValue, type Readable } from '../store';
import { ProcessingFailed, type Anonymiser } from '../work';
import { otherBagSentence } from './bag-files';

/** How far a run is; undefined: it waits for other files, or reads the bag. */
export interface BagProgress {
  readonly done: number;
  readonly total: number;
}

export interface BagResult {
  readonly taskId: string;
  /** Not read yet. */
  readonly file: Blob;
  readonly facts: BagFacts;
}

/** Storage that a result may need, and that the browser offers. */
export interface LackOfRoom {
  readonly neededBytes: number;
  readonly freeBytes: number;
}

/** What the page's host does with bags. */
export interface BagHost {
  /** @returns undefined where there is room for the result */
  lackOfRoom(file: File): Promise<LackOfRoom | undefined>;
  list(file: File, onRead: (share: number) => void, signal: AbortSignal): Promise<BagContents>;
  /** @throws ProcessingFailed */
  anonymise(
    file: File,
    how: { readonly settings: Settings; readonly bag: BagOptions },
    onProgress: (progress: BagProgress) => void,
    signal: AbortSignal,
  ): Promise<BagResult>;
  /** Removes a result. */
  forget(taskId: string): void;
  /** How a result was made, and what is hidden in it. */
  readonly reports: Pick<Anonymiser, 'report' | 'log'>;
}

export type BagState =
  | { readonly kind: 'reading'; readonly share: number }
  /** @property sentence why; null: unknown */
  | { readonly kind: 'refused'; readonly sentence: string | null }
  | ({ readonly kind: 'too-large' } & LackOfRoom)
  /** @property failure why the last run failed; null: unknown; undefined: none did */
  | { readonly kind: 'listed'; readonly contents: BagContents; readonly failure?: string | null }
  | { readonly kind: 'running'; readonly contents: BagContents; readonly progress?: BagProgress }
  | { readonly kind: 'done'; readonly contents: BagContents; readonly result: BagResult };

/** A bag on the screen. */
export interface OpenBag extends Pick<BagHost, 'reports'> {
  readonly state: Readable<BagState>;
  /** Anonymises it, once it is listed. */
  run(settings: Settings, bag: BagOptions): void;
  /** Ends the run. */
  stop(): void;
  /** Removes the result, to choose again. */
  again(): void;
  /** Ends everything, and removes the result. */
  close(): void;
}

const sentenceOf = (cause: unknown): string | null => {
  if (cause instanceof ProcessingFailed) return cause.sentence;
  return cause instanceof Error && cause.name === 'UnreadableFile' ? cause.message : null;
};

/** Reads a bag, and then waits for what a person chooses. */
export const openBag = (file: File, host: BagHost): OpenBag => {
  const state = createValue<BagState>({ kind: 'reading', share: 0 });
  const closed = new AbortController();
  let stopping = new AbortController();
  const show = (next: BagState): void => {
    if (!closed.signal.aborted) state.send(next);
  };
  const read = async (): Promise<BagState> => {
    const refusal = await otherBagSentence(file);
    if (refusal !== undefined) return { kind: 'refused', sentence: refusal };
    const lack = await host.lackOfRoom(file);
    if (lack) return { kind: 'too-large', ...lack };
    const onRead = (share: number): void => show({ kind: 'reading', share });
    return { kind: 'listed', contents: await host.list(file, onRead, closed.signal) };
  };
  const forget = (): BagContents | undefined => {
    const current = state.get();
    if (current.kind !== 'done') return undefined;
    host.forget(current.result.taskId);
    return current.contents;
  };
  read().then(show, (cause: unknown) => show({ kind: 'refused', sentence: sentenceOf(cause) }));
  return {
    state,
    reports: host.reports,
    run: (settings, bag) => {
      const current = state.get();
      if (current.kind !== 'listed') return;
      const { contents } = current;
      stopping = new AbortController();
      const signal = AbortSignal.any([stopping.signal, closed.signal]);
      show({ kind: 'running', contents });
      host
        .anonymise(
          file,
          { settings, bag },
          (progress) => show({ kind: 'running', contents, progress }),
          signal,
        )
        .then(
          (result) => show({ kind: 'done', contents, result }),
          (cause: unknown) =>
            show({
              ...{ kind: 'listed', contents },
              ...(!signal.aborted && { failure: sentenceOf(cause) }),
            }),
        );
    },
    stop: () => stopping.abort(),
    again: () => {
      const contents = forget();
      if (contents) show({ kind: 'listed', contents });
    },
    close: () => {
      forget();
      closed.abort();
    },
  };
};
