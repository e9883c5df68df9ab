/**
 * Number of random cases with which a rule is checked: a quarter of them, which finds common faults, or all of them in
 * `npm run test:full`, which sets `VEIL_ALL_CASES`.
 */
export const randomCases = (all: number): number =>
  process.env['VEIL_ALL_CASES'] ? all : Math.ceil(all / 4);
