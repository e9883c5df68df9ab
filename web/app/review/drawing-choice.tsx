import type { ReactElement } from 'react';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Select } from '../ui/select';
import styles from './review-bar.module.css';
import { BRUSH_SHARES } from './tools';
import type { Review } from './use-review';

/** Options for the next drawn area, and a hint. */
export const DrawingChoice = ({ review }: { readonly review: Review }): ReactElement => {
  const messages = useMessages();
  const text = messages.review;
  const { classes } = useServices();
  const { tool, drawnClass, brushShare } = review.options;
  const isDrawing = tool !== 'select' && tool !== 'keep';
  return (
    <div className={styles['details']}>
      <p className={styles['hint']}>{text.tools[tool].hint}</p>
      {isDrawing && (
        <Select
          label={text.drawnClass}
          value={drawnClass}
          options={classes.map((name) => [name, messages.objectName(name)])}
          onChoose={(name) => review.setOptions({ drawnClass: name })}
        />
      )}
      {tool === 'brush' && (
        <input
          type="range"
          className={styles['brush']}
          aria-label={text.brushSize}
          title={text.brushSize}
          min={0}
          max={BRUSH_SHARES.length - 1}
          step={1}
          value={Math.max(
            0,
            BRUSH_SHARES.findIndex((share) => share === brushShare),
          )}
          aria-valuetext={messages.percent(2 * brushShare)}
          onChange={({ currentTarget }) =>
            review.setOptions({ brushShare: BRUSH_SHARES[currentTarget.valueAsNumber] ?? brushShare })
          }
        />
      )}
    </div>
  );
};
