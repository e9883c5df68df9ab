import type { ReactElement } from 'react';
import { useMessages } from '../messages';
import { Logo } from '../ui/icons';
import { EngineBadge } from './engine-badge';
import styles from './header.module.css';
import { KeysButton } from './keys-button';
import { LanguageSelect } from './language-select';
import { PrivacyBadge } from './privacy-badge';
import { ThemeButton } from './theme-button';

export const Header = (): ReactElement => {
  const messages = useMessages();
  return (
    <header className={styles['header']}>
      <span className={styles['brand']}>
        <Logo />
        {messages.productName}
      </span>
      <PrivacyBadge />
      <EngineBadge />
      <a className={styles['reference']} href="./docs.html" title={messages.header.referenceExplained}>
        {messages.header.reference}
      </a>
      <KeysButton />
      <LanguageSelect />
      <ThemeButton />
    </header>
  );
};
