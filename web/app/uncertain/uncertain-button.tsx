import { useState, type ReactElement } from 'react';
import { countUncertain } from '../../state/uncertain/list-uncertain';
import { useMessages } from '../messages';
import { useAppState } from '../services';
import { Button } from '../ui/button';
import { Icon } from '../ui/icons';
import { SteadyText } from '../ui/steady-text';
import { isDialogOpen, useKeys } from '../ui/use-keys';
import { useLoaded } from '../ui/use-loaded';

/** Not a character, so that it may act anywhere (WCAG 2.1.4). */
const KEY = 'F2';
/** The widest number for which room is reserved. */
const WIDEST = 99;

const loadReview = () => import('./uncertain-review');

/** Opens the list of uncertain objects. */
export const UncertainButton = (): ReactElement => {
  const text = useMessages().review.uncertain;
  const [isOpen, setOpen] = useState(false);
  const review = useLoaded(isOpen, loadReview, () => setOpen(false));
  const count = countUncertain(useAppState().items);
  useKeys((event) => {
    if (event.key !== KEY || count === 0 || isDialogOpen()) return;
    event.preventDefault();
    setOpen(true);
  });
  return (
    <>
      <Button variant="quiet" title={text.title} disabled={count === 0} onClick={() => setOpen(true)}>
        <Icon name="check" />
        <span className="word">{text.button}</span>
        <SteadyText others={[text.count(WIDEST)]}>{text.count(count)}</SteadyText>
      </Button>
      {review && <review.UncertainReview onClose={() => setOpen(false)} />}
    </>
  );
};
