/** Transfer functions of high dynamic range (ITU-R BT.2100), by their names in WebCodecs and in the API. */
export const HDR_TRANSFERS = ['hlg', 'pq'] as const;
export type HdrTransfer = (typeof HDR_TRANSFERS)[number];

/** @returns undefined for every transfer of standard range */
export const asHdrTransfer = (transfer: string | null | undefined): HdrTransfer | undefined =>
  HDR_TRANSFERS.find((known) => known === transfer);
