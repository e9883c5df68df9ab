/** Where our own faults go. Never given file contents, header values or query values. */
export interface Log {
  info(message: string, facts?: Readonly<Record<string, string | number>>): void;
  error(message: string, cause: unknown): void;
}
