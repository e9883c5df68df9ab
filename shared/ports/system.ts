/** Time and identifiers. A port, so that tests have repeatable results. */
export interface System {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Milliseconds of a monotonic clock, for durations. */
  elapsedMs(): number;
  /** A random UUID (RFC 9562, version 4). */
  newId(): string;
  sha256(bytes: Uint8Array): Promise<string>;
}
