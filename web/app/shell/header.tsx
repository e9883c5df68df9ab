import type { ReactElement } from 'react';
import { useMessages, LANGUAGE_CODES, LANGUAGES, useLanguage, type Language } from '../messages';
import { Logo } from '../ui/icons';
import { EngineBadge } from './engine-badge';
import { KeysButton } from './keys-button';
import { PrivacyBadge } from './privacy-badge';
import { ThemeButton } from './theme-button';
import styles from './shell.module.css';

/** Selects the language of the page. */
const LanguageSelect = (): ReactElement => {
  const { language, choose } = useLanguage();
  const messages = useMessages();
  return (
    <select
      className={styles['select']}
      aria-label={messages.header.language}
      title={messages.header.language}
      value={language}
      onChange={({ currentTarget }) => choose(currentTarget.value as Language)}
    >
      {LANGUAGE_CODES.map((code) => (
        <option key={code} value={code} lang={code}>
          {LANGUAGES[code].name}
        </option>
      ))}
    </select>
  );
};

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
