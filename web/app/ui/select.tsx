import type { ReactElement } from 'react';
import styles from './select.module.css';

/** Selects one of a few options, in places with no room to show all of them. */
export const Select = <Value extends string>({
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
    className={styles['select']}
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
