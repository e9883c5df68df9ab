/** The same port until the signal aborts: after that, no call does anything, and none settles. */
export const killable = <T extends object>(port: T, death: AbortSignal): T =>
  new Proxy(port, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value === 'object' && value !== null) return killable(value, death);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        if (death.aborted) return new Promise(() => undefined);
        const answer: unknown = Reflect.apply(value, target, args);
        if (!(answer instanceof Promise)) return answer;
        return answer.then(
          (settled: unknown) => (death.aborted ? new Promise(() => undefined) : settled),
          (error: unknown) => (death.aborted ? new Promise(() => undefined) : Promise.reject(error as Error)),
        );
      };
    },
  });
