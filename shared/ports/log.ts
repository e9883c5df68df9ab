type LogFacts = Readonly<Record<string, string | number>>;

/**
 * Log lines. They never contain file contents, header values or query values. Facts and causes may contain ids of tasks,
 * which a host leaves out unless its user wants them.
 */
export interface Log {
  info(message: string, facts?: LogFacts): void;
  error(message: string, cause: unknown, facts?: LogFacts): void;
}
