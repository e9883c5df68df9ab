import { useLanguage, type Language } from '../messages';
import { germanUncertain } from '../messages/de-uncertain';
import { englishUncertain, type UncertainMessages } from '../messages/en-uncertain';

/** Not in the catalogues, whose English one is loaded with every page. */
const TEXTS: Readonly<Record<Language, UncertainMessages>> = { en: englishUncertain, de: germanUncertain };

export const useUncertainTexts = (): UncertainMessages => TEXTS[useLanguage().language];
