/** `1 picture`, `2 pictures`. */
export const many = (count: number, one: string, other: string): string =>
  `${count} ${count === 1 ? one : other}`;

/** @param share 0..1 */
export const percent = (share: number): string => `${Math.round(share * 100)} %`;

const MB = 1e6;
/** As disks and browsers count. @param decimal writes a number with so many digits behind the point */
export const megabytesWith =
  (decimal: (value: number, digits: number) => string) =>
  (bytes: number): string =>
    `${decimal(bytes / MB, bytes < 10 * MB ? 1 : 0)} MB`;
