import { lazy, Suspense, useEffect, useState, type ReactElement } from 'react';
import type { rankUncertain } from '../../state/uncertain/rank-uncertain';
import { useMessages } from '../messages';
import { useAppState } from '../services';
import { Button } from '../ui/button';
import { Icon } from '../ui/icons';
import { SteadyText } from '../ui/steady-text';

/** Not a character, so that it may act anywhere (WCAG 2.1.4). */
const KEY = 'F2';
/** The widest number for which room is reserved. */
const WIDEST = 999;

/** Loaded with the first finished file and with the first look at the list: the first load must stay small. */
const loadRanking = () => import('../../state/uncertain/rank-uncertain');
const UncertainReview = lazy(() => import('./uncertain-review'));

/** Number of uncertain objects in all files. */
const useCount = (): number => {
  const { pictures } = useAppState();
  const [rank, setRank] = useState<typeof rankUncertain>();
  const hasDone = pictures.some(({ status }) => status === 'done');
  useEffect(() => {
    if (hasDone) void loadRanking().then((loaded) => setRank(() => loaded.rankUncertain));
  }, [hasDone]);
  return rank ? rank(pictures).length : 0;
};

/** Opens the list of uncertain objects. */
export const UncertainButton = (): ReactElement => {
  const text = useMessages().review.uncertain;
  const [isOpen, setOpen] = useState(false);
  const count = useCount();
  useEffect(() => {
    if (count === 0) return undefined;
    const press = (event: KeyboardEvent): void => {
      if (event.key !== KEY || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [count]);
  return (
    <>
      <Button variant="quiet" title={text.title} disabled={count === 0} onClick={() => setOpen(true)}>
        <Icon name="eye" />
        <span className="word">{text.button}</span>
        <SteadyText others={[text.count(WIDEST)]}>{text.count(count)}</SteadyText>
      </Button>
      {isOpen && (
        <Suspense>
          <UncertainReview onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
};
