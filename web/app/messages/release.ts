import { useLanguage, type Language } from '../messages';

/** Texts of servers whose results must be released. They are loaded with the first such result. */
const english = {
  waits: 'A reviewer must release this result before it can be downloaded.',
  release: 'Release',
  releaseNamed: (name: string) => `Release ${name}`,
  title: 'Waiting for release',
  hint: 'Results on the server that no reviewer has released yet.',
  look: (name: string) => `Look at ${name}`,
  failed: 'The result could not be released.',
  changed: 'Somebody has changed this result since you saw it. Look at it again before you release it.',
};

const german: typeof english = {
  waits: 'Dieses Ergebnis muss erst freigegeben werden, bevor es heruntergeladen werden kann.',
  release: 'Freigeben',
  releaseNamed: (name) => `${name} freigeben`,
  title: 'Warten auf Freigabe',
  hint: 'Ergebnisse auf dem Server, die noch niemand freigegeben hat.',
  look: (name) => `${name} ansehen`,
  failed: 'Das Ergebnis konnte nicht freigegeben werden.',
  changed:
    'Dieses Ergebnis wurde geändert, seit Sie es gesehen haben. Sehen Sie es vor der Freigabe noch einmal an.',
};

/** Not in the catalogues, whose English one is loaded with every page. */
const TEXTS: Readonly<Record<Language, typeof english>> = { en: english, de: german };

export const useReleaseTexts = (): typeof english => TEXTS[useLanguage().language];
