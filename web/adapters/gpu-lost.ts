/** Prefix of the error with which a worker ends after its GPU was lost. */
export const GPU_LOST = 'The GPU went away';
