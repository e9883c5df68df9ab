/** Decides who may use the API. */
export interface AccessControl {
  /** @param authorization value of the header `Authorization`; undefined where it was not sent */
  admits(authorization: string | undefined): boolean;
}
