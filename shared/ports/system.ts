/** Computes a SHA-256 of bytes that come one after another. */
export interface RunningSha256 {
  update(bytes: Uint8Array): void;
  /** Ends it. @returns 64 hexadecimal digits */
  digest(): Promise<string>;
}

/** Time and identifiers. A port, so that tests have repeatable results. */
export interface System {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Milliseconds of a monotonic clock, for durations. */
  elapsedMs(): number;
  /** A random UUID (RFC 9562, version 4). */
  newId(): string;
  sha256(bytes: Uint8Array): Promise<string>;
  /** For files that are larger than memory. */
  startSha256(): RunningSha256;
}

/** What the engine needs of it: it hashes no streams. */
export type BasicSystem = Omit<System, 'startSha256'>;
