import type { ReactElement } from 'react';
import { useMessages } from '../messages';
import { Button } from '../ui/button';
import { Icon } from '../ui/icons';
import { Segments } from '../ui/segments';
import { ObjectProperties } from './object-properties';
import styles from './review-bar.module.css';
import { TOOL_ICONS, TOOLS, BRUSH_SHARES } from './tools';
import { UndoButtons } from './undoing';
import type { Review } from './use-review';
import { useServices } from '../services';
import { Select } from '../ui/select';

/** Options for the next drawn area, and a hint. */
const DrawingChoice = ({ review }: { readonly review: Review }): ReactElement => {
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
