/** The engine process has ended while it worked on a call. */
export class EngineLost extends Error {
  override readonly name = 'EngineLost';

  /** @param isBlameless whether the reason is known to be another call */
  constructor(
    message: string,
    readonly isBlameless = false,
  ) {
    super(message);
  }
}
