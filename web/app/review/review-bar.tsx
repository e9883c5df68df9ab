import type { ReactElement } from 'react';
import { useMessages } from '../messages';
import { Button, IconButton } from '../ui/button';
import { DrawingChoice } from './drawing-choice';
import { ObjectProperties } from './object-properties';
import styles from './review-bar.module.css';
import { TOOL_ICONS, TOOLS } from './tools';
import type { Review } from './use-review';

/** Toolbar of the image editor, with the properties of the selected object. */
export const ReviewBar = ({ review }: { readonly review: Review }): ReactElement => {
  const text = useMessages().review;
  const { options, selected } = review;
  return (
    <div className={styles['bar']} role="group" aria-label={text.bar} data-testid="review-bar">
      <div className={styles['group']}>
        {TOOLS.map((tool) => (
          <IconButton
            key={tool}
            icon={TOOL_ICONS[tool]}
            label={text.tools[tool].name}
            title={text.tools[tool].title}
            aria-pressed={options.tool === tool}
            onClick={() => review.setOptions({ tool })}
          />
        ))}
      </div>
      <div className={styles['group']}>
        <IconButton
          icon="undo"
          label={text.undo}
          title={text.undoTitle}
          disabled={!review.canUndo}
          onClick={review.undo}
        />
        <IconButton
          icon="redo"
          label={text.redo}
          title={text.redoTitle}
          disabled={!review.canRedo}
          onClick={review.redo}
        />
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
