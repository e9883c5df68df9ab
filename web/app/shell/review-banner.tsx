import type { ReactElement } from 'react';
import { type Readable, useStore } from '../../state/store';
import type { Language, useLanguage } from '../messages';
import { Notice } from '../ui/notice';

/** Whether the files of the review can be loaded. */
export type ReviewPhase = 'open' | 'lost';

/** Not in the catalogues, whose English one is loaded with every page. */
const TEXTS: Readonly<Record<Language, Readonly<Record<ReviewPhase, string>>>> = {
  en: {
    open: 'Review: each edit is saved in the result folder at once.',
    lost: 'The review does not answer. Start it again with “veil review”, and open the address that it prints.',
  },
  de: {
    open: 'Durchsicht: Jede Änderung wird sofort im Ergebnisordner gespeichert.',
    lost: 'Die Durchsicht antwortet nicht. Starten Sie sie neu mit „veil review“, und öffnen Sie die gezeigte Adresse.',
  },
};

const WAITING: Readonly<Record<Language, (count: number) => string>> = {
  en: (count) => (count === 1 ? '1 result waits for a decision.' : `${count} results wait for decisions.`),
  de: (count) =>
    count === 1
      ? '1 Ergebnis wartet auf eine Entscheidung.'
      : `${count} Ergebnisse warten auf Entscheidungen.`,
};

interface ReviewBannerProps {
  readonly phase: Readable<ReviewPhase>;
  /** Number of results with uncertain objects about which nobody has decided. */
  readonly waiting: Readable<number>;
  /** See `ReviewParts`. */
  readonly useLanguage: typeof useLanguage;
}

/** Explains where edits are saved, and says how many results wait for decisions. */
export const ReviewBanner = ({ phase, waiting, useLanguage }: ReviewBannerProps): ReactElement => {
  const { language } = useLanguage();
  const current = useStore(phase, (value) => value);
  const left = useStore(waiting, (value) => value);
  return (
    <Notice
      variant={current === 'lost' ? 'banner' : 'box'}
      isWarning={current === 'lost'}
      role="status"
      data-testid="review-banner"
    >
      {TEXTS[language][current]}
      {current === 'open' && left > 0 && ` ${WAITING[language](left)}`}
    </Notice>
  );
};
