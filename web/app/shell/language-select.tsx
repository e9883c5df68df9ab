import type { ReactElement } from 'react';
import { LANGUAGE_CODES, LANGUAGES, useLanguage, useMessages, type Language } from '../messages';
import styles from './language-select.module.css';

/** Selects the language of the page. */
export const LanguageSelect = (): ReactElement => {
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
