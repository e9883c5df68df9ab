import type { ComponentProps, ReactElement } from 'react';
import styles from './button.module.css';
import { Icon, type IconName } from './icons';

interface Look {
  readonly look?: 'primary' | 'secondary' | 'quiet';
  readonly size?: 'large' | undefined;
}

/** A button with a name to read. */
export const Button = ({
  look = 'secondary',
  size,
  className = '',
  ...props
}: Look & ComponentProps<'button'>): ReactElement => (
  <button
    type="button"
    {...props}
    className={`${styles['button']} ${styles[look]} ${size ? styles[size] : ''} ${className}`}
  />
);

/** A button with a drawing; its name is shown on hover and read by screen readers. */
export const IconButton = ({
  icon,
  label,
  look = 'quiet',
  className = '',
  ...props
}: Look & { readonly icon: IconName; readonly label: string; readonly className?: string | undefined } & Omit<
    ComponentProps<'button'>,
    'className'
  >): ReactElement => (
  <Button
    {...props}
    look={look}
    className={`${styles['icon']} ${className}`}
    aria-label={label}
    title={label}
  >
    <Icon name={icon} />
  </Button>
);
