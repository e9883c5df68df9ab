/** Timers. A port, so that tests need not wait. */
export interface Timer {
  /**
   * Calls `work` once, after `delayMs` or later. The process may end before that.
   *
   * @returns a function that cancels the call
   */
  after(delayMs: number, work: () => void): () => void;
}
