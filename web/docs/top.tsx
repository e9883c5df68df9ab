import type { ReactElement } from 'react';
import { ThemeButton } from '../app/shell/theme-button';
import { Logo } from '../app/ui/icons';
import { messages } from './messages';
import styles from './top.module.css';

export const Top = (): ReactElement => (
  <header className={styles['top']}>
    <a className={styles['skip']} href="#reference">
      {messages.skip}
    </a>
    <a className={styles['brand']} href="./" title={messages.home}>
      <Logo />
      {messages.brand}
    </a>
    <span className={styles['title']}>{messages.title}</span>
    <ThemeButton />
  </header>
);
