/** Time and identifiers, as ports so that results repeat in tests. */
export interface System {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Monotonic, for durations. */
  elapsedMs(): number;
  /** A random UUID (RFC 9562, version 4). */
  newId(): string;
  sha256(bytes: Uint8Array): Promise<string>;
}
