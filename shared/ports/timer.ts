/** Waiting, as a port so that tests need not wait. */
export interface Timer {
  /**
   * Calls `work` once, after `delayMs` or later; does not keep the host alive for it.
   *
   * @returns how to call it off
   */
  after(delayMs: number, work: () => void): () => void;
}
