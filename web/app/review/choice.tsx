import type { ReactElement } from 'react';
import styles from './review-bar.module.css';

/** Selects one of a few options. */
export const Choice = <Value extends string>({
  label,
  value,
  options,
  onChoose,
}: {
  readonly label: string;
  readonly value: Value;
  /** Options with their names. */
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
