/** The engine process has ended while it worked on a call. */
export class EngineLost extends Error {
  override readonly name = 'EngineLost';

  /** @param isBlameless whether the calls are known not to be the reason */
  constructor(
    message: string,
    readonly isBlameless = false,
  ) {
    super(message);
  }
}
