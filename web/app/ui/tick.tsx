import type { ComponentProps, ReactElement, ReactNode } from 'react';
import styles from './tick.module.css';

interface TickProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange' | 'title'> {
  readonly children: ReactNode;
  /** Of the words, too. */
  readonly title?: string | undefined;
  readonly onTick: (isTicked: boolean) => void;
}

/** Something that is so or not, with its words. */
export const Tick = ({ children, title, onTick, ...props }: TickProps): ReactElement => (
  <label className={styles['tick']} title={title}>
    <input {...props} type="checkbox" onChange={({ currentTarget }) => onTick(currentTarget.checked)} />
    {children}
  </label>
);
