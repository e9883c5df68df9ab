import type { ReactElement } from 'react';
import styles from './segments.module.css';

/** Segmented control; arrow keys change the selection, as for radio buttons. */
export const Segments = <Value extends string>(props: {
  readonly legend: string;
  /** Unique name of the group of radio buttons. */
  readonly group: string;
  /** Labels by value. */
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
