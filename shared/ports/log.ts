type LogFacts = Readonly<Record<string, string | number>>;

/** Log lines. They never contain file contents, header values or query values. */
export interface Log {
  info(message: string, facts?: LogFacts): void;
  error(message: string, cause: unknown, facts?: LogFacts): void;
}
