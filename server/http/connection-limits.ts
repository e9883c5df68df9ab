/** How slowly the body of a request may arrive. There is no limit of the total time: 2 GiB over a slow line are fine. */
export interface BodyPace {
  /** Longest time without a byte; `--upload-idle`. */
  readonly uploadIdleMs: number;
  /** Smallest mean rate over twice that time; `--upload-min-rate`. */
  readonly uploadMinBytesPerS: number;
}

/** What the connections of a server may occupy. */
export interface ConnectionLimits extends BodyPace {
  /** `--max-connections` */
  readonly maxConnections: number;
  /** `--max-event-streams` */
  readonly maxEventStreams: number;
}

/** The defaults. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  uploadIdleMs: 60_000,
  // A hundredth of the slowest mobile line, so that only clients fall below it that send to hold a connection.
  uploadMinBytesPerS: 1024,
  // A browser opens six. With a file for each they stay below the 4,096 descriptors that most systems allow.
  maxConnections: 1_000,
  // Each is a connection of its own, and uploads must find room beside them.
  maxEventStreams: 250,
};

/** Options of Node's web server: the headers of a request must arrive within this time, checked every five seconds. */
export const HEADER_TIME = { headersTimeout: 30_000, connectionsCheckingInterval: 5_000 } as const;
