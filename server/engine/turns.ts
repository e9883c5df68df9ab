export interface TurnRequest {
  /** Whether nothing else may run meanwhile. */
  readonly isAlone: boolean;
  /** Requests with a higher one wait until no others do. */
  readonly suspicion: number;
}

/** Lets work run side by side, or one piece of work alone. */
export interface Turns {
  /**
   * Waits for a turn, in the order of the requests among those of the same suspicion.
   *
   * @returns ends the turn
   * @throws the reason of the signal
   */
  take(request: TurnRequest, signal: AbortSignal): Promise<() => void>;
}

interface Waiting extends TurnRequest {
  readonly begin: () => void;
}

/** A lock with shared and exclusive turns. */
export const createTurns = (): Turns => {
  const waiting: Waiting[] = [];
  let running = 0;
  let isOneAlone = false;

  const mayBegin = ({ isAlone }: Waiting): boolean => (isAlone ? running === 0 : !isOneAlone);
  const beginNext = (): void => {
    for (let next = waiting[0]; next && mayBegin(next); next = waiting[0]) {
      waiting.shift();
      running += 1;
      isOneAlone = next.isAlone;
      next.begin();
    }
  };
  const end = (): void => {
    running -= 1;
    isOneAlone = false;
    beginNext();
  };
  return {
    take: (request, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const leave = (): void => {
          waiting.splice(waiting.indexOf(one), 1);
          reject(signal.reason as Error);
          beginNext();
        };
        const one: Waiting = {
          ...request,
          begin: () => {
            signal.removeEventListener('abort', leave);
            resolve(end);
          },
        };
        signal.addEventListener('abort', leave, { once: true });
        const place = waiting.findIndex(({ suspicion }) => suspicion > one.suspicion);
        waiting.splice(place === -1 ? waiting.length : place, 0, one);
        beginNext();
      }),
  };
};
