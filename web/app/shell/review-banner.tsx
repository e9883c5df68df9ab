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

interface ReviewBannerProps {
  readonly phase: Readable<ReviewPhase>;
  /** See `ReviewParts`. */
  readonly useLanguage: typeof useLanguage;
}

/** Explains where edits are saved. */
export const ReviewBanner = ({ phase, useLanguage }: ReviewBannerProps): ReactElement => {
  const { language } = useLanguage();
  const current = useStore(phase, (value) => value);
  return (
    <Notice
      variant={current === 'lost' ? 'banner' : 'box'}
      isWarning={current === 'lost'}
      role="status"
      data-testid="review-banner"
    >
      {TEXTS[language][current]}
    </Notice>
  );
};
