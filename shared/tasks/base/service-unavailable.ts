/**
 * Another service, on which this one depends, cannot be reached or does not answer in time. Clients try again.
 *
 * The message and the cause are for the log; `sentence` is public.
 */
export class ServiceUnavailable extends Error {
  override readonly name: string = 'ServiceUnavailable';

  constructor(
    readonly sentence: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
