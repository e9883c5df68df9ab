/** Tag of tests that only `npm run test:full` runs. */
export const SLOW_TAG = {
  name: 'slow',
  description: 'rare cases, and kills by the dozen: only in `npm run test:full`',
};
