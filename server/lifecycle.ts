/** Whether the server can process tasks now. */
export type Phase = 'loading' | 'ready' | 'stopping';

export interface Lifecycle {
  readonly phase: () => Phase;
  modelsLoaded(): void;
  /** Enters the last phase. */
  stopping(): void;
}

export const createLifecycle = (): Lifecycle => {
  let phase: Phase = 'loading';
  return {
    phase: () => phase,
    modelsLoaded: () => {
      if (phase === 'loading') phase = 'ready';
    },
    stopping: () => {
      phase = 'stopping';
    },
  };
};
