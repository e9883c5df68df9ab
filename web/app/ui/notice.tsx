import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { Icon } from './icons';
import styles from './notice.module.css';

interface NoticeProps extends Omit<ComponentProps<'div'>, 'className' | 'title'> {
  /**
   * `floating`: card above the page, in a `NoticeStack`. `banner`: at the top while the page scrolls. `box`: tinted box
   * between other parts. `line`: small text, as most are. Over an image: `overlay` (progress), `pill` (a few words) and
   * `cover` (instead of the image).
   */
  readonly variant?: 'floating' | 'banner' | 'box' | 'line' | 'overlay' | 'pill' | 'cover';
  readonly isWarning?: boolean;
  readonly heading?: string;
  /** Buttons after the text. */
  readonly actions?: ReactNode;
}

/** Message to the user. Without a text it takes no room but stays, so that screen readers announce the next text. */
export const Notice = ({
  variant = 'line',
  isWarning = false,
  heading,
  actions,
  children,
  ...props
}: NoticeProps): ReactElement => (
  <div {...props} className={styles[variant]} data-warning={isWarning}>
    {isWarning && variant !== 'line' && <Icon name="warning" size={variant === 'cover' ? 28 : 20} />}
    {children && (
      <div className={styles['text']}>
        {heading && <strong>{heading}</strong>} {children}
      </div>
    )}
    {actions && <div className={`row ${styles['actions']}`}>{actions}</div>}
  </div>
);

/** Floating notices, one above the other at the bottom of the screen. */
export const NoticeStack = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <div className={styles['stack']}>{children}</div>
);
