import { useState, type ReactElement } from 'react';
import { useMessages } from '../messages';
import { IconButton } from '../ui/button';
import type { IconName } from '../ui/icons';
import { chooseTheme, currentTheme, THEMES, type Theme } from './theme';

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
