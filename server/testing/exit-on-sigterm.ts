const exit = (): void => process.exit();

/**
 * Lets a process of Vitest exit by SIGTERM, by which Vitest ends it: handlers of `exit`, which kill what tests have
 * started, would not run otherwise. A database that is left behind keeps files of its caller open, who may wait for it.
 */
if (process.listenerCount('SIGTERM') === 0) process.once('SIGTERM', exit);
