import { useLanguage, type Language } from '../messages';
import { germanSubjects } from '../messages/de-subjects';
import { englishSubjects, type SubjectMessages } from '../messages/en-subjects';

/** Not in the catalogues, whose English one is loaded with every page. */
const TEXTS: Readonly<Record<Language, SubjectMessages>> = { en: englishSubjects, de: germanSubjects };

export const useSubjectTexts = (): SubjectMessages => TEXTS[useLanguage().language];
