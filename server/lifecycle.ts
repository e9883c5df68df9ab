/** Whether the server can do its work now. */
export type Phase = 'loading' | 'ready' | 'stopping';

export interface Lifecycle {
  readonly phase: () => Phase;
  modelsLoaded(): void;
  /** Final: no other phase follows. */
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
