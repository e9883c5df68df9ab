import type { ReactElement } from 'react';
import styles from './segments.module.css';

/** One of a few, side by side; arrow keys move between them, as radio buttons do. */
export const Segments = <Value extends string>(props: {
  readonly legend: string;
  /** Keeps the group's radio buttons apart from others on the page. */
  readonly group: string;
  /** Words by value. */
  readonly options: readonly (readonly [Value, string])[];
  readonly chosen: Value;
  readonly choose: (value: Value) => void;
}): ReactElement => (
  <fieldset>
    <legend className={styles['legend']}>{props.legend}</legend>
    <div className={styles['options']}>
      {props.options.map(([value, words]) => (
        <label key={value}>
          <input
            type="radio"
            name={props.group}
            checked={props.chosen === value}
            onChange={() => props.choose(value)}
          />
          <span>{words}</span>
        </label>
      ))}
    </div>
  </fieldset>
);
