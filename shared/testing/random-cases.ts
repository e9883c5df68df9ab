/**
 * Number of random cases with which a rule is checked: a part of them, which finds common faults, or all of them in
 * `npm run test:full`, which sets `VEIL_ALL_CASES`.
 *
 * @param parts a quarter by default; the smaller the part, the more each case costs
 */
export const randomCases = (all: number, parts = 4): number =>
  process.env['VEIL_ALL_CASES'] ? all : Math.ceil(all / parts);
