import type { ComponentProps, ReactElement } from 'react';
import { Icon, type IconName } from './icons';
import styles from './controls.module.css';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  readonly variant?: 'primary' | 'secondary' | 'quiet';
  readonly size?: 'normal' | 'large';
  readonly className?: string | undefined;
}

/** A button with a name to read. */
export const Button = ({
  variant = 'secondary',
  size = 'normal',
  className = '',
  ...props
}: ButtonProps): ReactElement => (
  <button
    type="button"
    {...props}
    className={`${styles['button']} ${styles[variant]} ${styles[size] ?? ''} ${className}`}
  />
);

interface IconButtonProps extends ButtonProps {
  readonly icon: IconName;
  readonly label: string;
}

/** A button with a drawing; its name is shown on hover and read by screen readers. */
export const IconButton = ({
  icon,
  label,
  variant = 'quiet',
  className = '',
  ...props
}: IconButtonProps): ReactElement => (
  <Button
    title={label}
    {...props}
    variant={variant}
    className={`${styles['icon']} ${className}`}
    aria-label={label}
  >
    <Icon name={icon} />
  </Button>
);
