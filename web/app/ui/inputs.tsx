import { useId, type ReactElement, type ReactNode, type ComponentProps } from 'react';
import styles from './controls.module.css';

export interface SelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
}

/** Selects one of a few options, in places with no room to show all of them. */
export const Select = <Value extends string>({
  label,
  value,
  options,
  onChoose,
}: SelectProps<Value> & {
  /** Options with their names. */
  readonly options: readonly (readonly [value: Value, name: string])[];
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

interface TickProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange' | 'title'> {
  readonly children: ReactNode;
  /** Of the words, too. */
  readonly title?: string | undefined;
  readonly variant: (variant: boolean) => void;
}

/** Something that is so or not, with its words. */
export const Checkbox = ({ children, title, variant, ...props }: TickProps): ReactElement => (
  <label className={styles['tick']} title={title}>
    <input {...props} type="checkbox" onChange={({ currentTarget }) => variant(currentTarget.checked)} />
    {children}
  </label>
);

/** One option of a segmented control. */
export interface Segment<Value extends string> {
  readonly value: Value;
  readonly name: string;
  /** Shown on hover. */
  readonly title?: string;
  readonly drawing?: ReactNode;
}

/** Segmented control: adjacent options, one of which is selected. Radio buttons, so arrow keys change the selection. */
export const Segments = <Value extends string>({
  legend,
  variant = 'inline',
  options,
  value,
  hint,
  onChoose,
}: {
  readonly legend: string;
  /** `wide`: equal columns in the whole width. `icons`: drawings only; legend and names are for screen readers. */
  readonly variant?: 'inline' | 'wide' | 'icons';
  readonly options: readonly Segment<Value>[];
  readonly value: Value;
  /** Describes the selection. */
  readonly hint?: string;
  readonly onChoose: (value: Value) => void;
}): ReactElement => {
  const id = useId();
  const hidden = variant === 'icons' ? 'visually-hidden' : undefined;
  return (
    <fieldset className={styles['segments']} data-look={variant} aria-describedby={hint && `${id}hint`}>
      <legend className={hidden}>{legend}</legend>
      <div className={styles['options']}>
        {options.map((option) => (
          <label key={option.value} title={option.title}>
            <input
              type="radio"
              name={id}
              checked={value === option.value}
              onChange={() => onChoose(option.value)}
            />
            {option.drawing}
            <span className={hidden}>{option.name}</span>
          </label>
        ))}
      </div>
      {hint && <p id={`${id}hint`}>{hint}</p>}
    </fieldset>
  );
};
