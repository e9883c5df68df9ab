/** ISO 8601 in UTC without the zone, as the contract writes times. */
export const isoTime = (ms: number): string => new Date(ms).toISOString().slice(0, -1);
