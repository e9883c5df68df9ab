import { useState, type ReactElement } from 'react';
import { storedChoice } from '../../state/stored-choice';
import { useMessages } from '../messages';
import { IconButton } from '../ui/button';
import type { IconName } from '../ui/icons';

const THEMES = ['auto', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** Also read by `public/theme.js`, before the first paint. */
const stored = storedChoice('veil-theme');

const currentTheme = (): Theme => {
  const chosen = document.documentElement.dataset['theme'];
  return chosen === 'light' || chosen === 'dark' ? chosen : 'auto';
};

const chooseTheme = (theme: Theme): void => {
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  stored.set(theme);
};

const ICONS = { auto: 'auto', light: 'sun', dark: 'moon' } as const satisfies Record<Theme, IconName>;

/** Switches between the themes: system, light, dark. */
export const ThemeButton = (): ReactElement => {
  const messages = useMessages();
  const [theme, setTheme] = useState(currentTheme);
  const next = (): void => {
    const chosen = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto';
    chooseTheme(chosen);
    setTheme(chosen);
  };
  return <IconButton icon={ICONS[theme]} label={messages.header.themes[theme]} onClick={next} />;
};
