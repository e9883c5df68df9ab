/** Decides who may use the API. */
export interface AccessControl {
  /** @param authorization the header's value, undefined where it was not sent */
  admits(authorization: string | undefined): boolean;
}
