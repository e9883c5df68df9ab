/** Transfer functions of high dynamic range (ITU-R BT.2100), by their names in WebCodecs and in the API. */
export const HDR_TRANSFERS = ['hlg', 'pq'] as const;
export type HdrTransfer = (typeof HDR_TRANSFERS)[number];

/** @returns undefined for every transfer of standard range */
export const asHdrTransfer = (transfer: string | null | undefined): HdrTransfer | undefined =>
  HDR_TRANSFERS.find((known) => known === transfer);

/** The same by their numbers in ITU-T H.273, table 3, as images state them. */
const HDR_NUMBERS: Readonly<Record<number, HdrTransfer>> = { 16: 'pq', 18: 'hlg' };

/** @returns undefined for every transfer of standard range, and if none is stated */
export const hdrTransferOf = (transfer: number | undefined): HdrTransfer | undefined =>
  HDR_NUMBERS[transfer ?? -1];

/** Primaries that high dynamic range is mapped from, by their numbers in ITU-T H.273, table 2. */
export const HDR_PRIMARIES: readonly number[] = [1, 5, 6, 7, 9, 12];
