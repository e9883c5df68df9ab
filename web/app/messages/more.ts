import { useLanguage, type Language } from '../messages';

/** Texts of the settings that few need. They are loaded with them. */
const english = {
  margin: 'Margin',
  marginHint: 'How many times as wide and as high as usual objects are hidden. Files are processed again.',
  reasons: 'Reasons',
  reasonsHint:
    'A JSON file with codes. Each object has a list of them, and the keys 1 to 9 give the selected object a code.',
  load: 'Load codes …',
  replace: 'Load other codes …',
  remove: 'Remove codes',
  labels: 'Write codes over what is hidden',
  ofClass: (name: string) => `Reason for ${name.toLowerCase()}`,
  case: 'Case',
  caseHint: 'Reports and logs name it.',
  details: { number: 'Case number', requester: 'Requester', recipient: 'Recipient', operator: 'Operator' },
};

const german: typeof english = {
  margin: 'Rand',
  marginHint:
    'Wie vielmal so breit und so hoch wie üblich Objekte verborgen werden. Dateien werden erneut verarbeitet.',
  reasons: 'Gründe',
  reasonsHint:
    'Eine JSON-Datei mit Kürzeln. Jedes Objekt hat eine Liste davon, und die Tasten 1 bis 9 geben dem ausgewählten Objekt ein Kürzel.',
  load: 'Kürzel laden …',
  replace: 'Andere Kürzel laden …',
  remove: 'Kürzel entfernen',
  labels: 'Kürzel über Verborgenes schreiben',
  ofClass: (name) => `Grund für ${name}`,
  case: 'Fall',
  caseHint: 'Berichte und Protokolle nennen ihn.',
  details: {
    number: 'Fallnummer',
    requester: 'Antragstellende Person',
    recipient: 'Empfänger',
    operator: 'Bearbeitet von',
  },
};

/** Not in the catalogues, whose English one is loaded with every page. */
const TEXTS: Readonly<Record<Language, typeof english>> = { en: english, de: german };

export const useMoreTexts = (): typeof english => TEXTS[useLanguage().language];
