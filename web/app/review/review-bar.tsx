import type { ReactElement } from 'react';
import { useMessages } from '../messages';
import { Button } from '../ui/button';
import { Icon } from '../ui/icons';
import { Segments } from '../ui/segments';
import { DrawingChoice } from './drawing-choice';
import { ObjectProperties } from './object-properties';
import styles from './review-bar.module.css';
import { TOOL_ICONS, TOOLS } from './tools';
import { UndoButtons } from './undoing';
import type { Review } from './use-review';

/** Toolbar of the image editor, with the properties of the selected object. */
export const ReviewBar = ({ review }: { readonly review: Review }): ReactElement => {
  const text = useMessages().review;
  const { options, selected } = review;
  return (
    <div className={styles['bar']} role="group" aria-label={text.bar} data-testid="review-bar">
      <Segments
        legend={text.tool}
        look="icons"
        options={TOOLS.map((value) => ({
          value,
          name: text.tools[value].name,
          title: text.tools[value].title,
          drawing: <Icon name={TOOL_ICONS[value]} />,
        }))}
        value={options.tool}
        onChoose={(tool) => review.setOptions({ tool })}
      />
      <div className={styles['group']}>
        <UndoButtons undoing={review} />
      </div>
      {review.copies > 0 && (
        <Button variant="quiet" title={text.copyTitle} onClick={review.copyAreas}>
          {text.copy(review.copies)}
        </Button>
      )}
      {selected ? <ObjectProperties review={review} object={selected} /> : <DrawingChoice review={review} />}
    </div>
  );
};
