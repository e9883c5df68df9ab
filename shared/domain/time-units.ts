/** Media timestamps are in microseconds (`timestampUs`); containers and people count in seconds. */
export const US_PER_SECOND = 1e6;
