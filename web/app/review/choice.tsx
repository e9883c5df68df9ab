import type { ReactElement } from 'react';
import styles from './review-bar.module.css';

/** One of a few. */
export const Choice = <Value extends string>({
  label,
  value,
  options,
  onChoose,
}: {
  readonly label: string;
  readonly value: Value;
  /** Each with its name. */
  readonly options: readonly (readonly [value: Value, name: string])[];
  readonly onChoose: (value: Value) => void;
}): ReactElement => (
  <select
    className={styles['choice']}
    aria-label={label}
    title={label}
    value={value}
    onChange={({ currentTarget }) => onChoose(currentTarget.value as Value)}
  >
    {options.map(([option, name]) => (
      <option key={option} value={option}>
        {name}
      </option>
    ))}
  </select>
);
