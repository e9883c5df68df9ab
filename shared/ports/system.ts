import type { Scope } from '../domain/scope';

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

/** Timers. A port, so that tests need not wait. */
export interface Timer {
  /**
   * Calls `work` once, after `delayMs` or later. The process may end before that.
   *
   * @returns a function that cancels the call
   */
  after(delayMs: number, work: () => void): () => void;
}

type LogFacts = Readonly<Record<string, string | number>>;

/**
 * Log lines. They never contain file contents, header values or query values. Facts and causes may contain ids of tasks,
 * which a host leaves out unless its user wants them.
 */
export interface Log {
  info(message: string, facts?: LogFacts): void;
  error(message: string, cause: unknown, facts?: LogFacts): void;
}

/** An Ed25519 signature (RFC 8032). */
export interface Signature {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** 64 bytes. */
  readonly value: Uint8Array;
}

/** Signs reports with the key of a host. */
export interface ReportSigner {
  /** @returns undefined where the host has no key */
  sign(bytes: Uint8Array): Promise<Signature | undefined>;
}

/** Decides who may use the API. */
export interface AccessControl {
  /**
   * @param authorization value of the header `Authorization`; undefined where it was not sent
   * @returns what the token in it may do; undefined where there is none, or an unknown one
   */
  scopesOf(authorization: string | undefined): ReadonlySet<Scope> | undefined;
}
