/** With a comma. */
export const decimal = (value: number, digits: number): string => value.toFixed(digits).replace('.', ',');
