import type { ReactElement } from 'react';
import { useMessages } from '../messages';
import { Button, IconButton } from '../ui/button';
import type { ReviewOptions } from '../review/tools';
import { canReview } from '../review/use-review';
import { Icon } from '../ui/icons';
import { ZOOM_STEP, type ViewControl } from './use-view';
import styles from './stage.module.css';
import { countObjects, isAround, type MediaItem } from '../../state/media-item';

/** Name, size and object counts of the selected file. */
export const StageFacts = ({ item: { file, result } }: { readonly item: MediaItem }): ReactElement => {
  const messages = useMessages();
  return (
    <div className={styles['facts']}>
      <h2 title={file.name}>{file.name}</h2>
      <p data-testid="facts">
        {result ? (
          <>
            {messages.objectCounts(countObjects(result.objects))}
            <span className={styles['more']}>
              {' · '}
              {messages.stage.size(result.width, result.height)}
              {result.video && ` · ${messages.video.frameCount(result.video.frameCount)}`}
              {' · '}
              {messages.stage.seconds(result.durationS)}
            </span>
          </>
        ) : (
          '\u00a0'
        )}
      </p>
      {result?.editable?.sparedMemory && (
        <p className={styles['warning']} role="note" data-testid="spared-memory">
          <Icon name="warning" size={16} />
          {messages.stage.lowMemory}
        </p>
      )}
    </div>
  );
};

/** Shows the original while it is pressed. */
const HoldButton = ({
  isDisabled,
  onHold,
}: {
  readonly isDisabled: boolean;
  readonly onHold: (isHeld: boolean) => void;
}): ReactElement => {
  const text = useMessages().stage;
  const release = (): void => onHold(false);
  return (
    <IconButton
      icon="eye"
      label={text.hold}
      title={text.holdTitle}
      disabled={isDisabled}
      onPointerDown={() => onHold(true)}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      onKeyDown={({ key }) => (key === ' ' || key === 'Enter') && onHold(true)}
      onKeyUp={release}
      onBlur={release}
      onContextMenu={(event) => event.preventDefault()}
    />
  );
};

export interface StageOptions {
  /** Share of the stage that shows the original. */
  readonly divider: number;
  readonly hasBoxes: boolean;
  /** Whether panoramas are shown in a sphere. */
  readonly looksAround?: boolean;
  readonly review: ReviewOptions;
}

export interface StageCanvasProps {
  readonly item: MediaItem;
  readonly options: StageOptions;
  readonly onOptions: (options: StageOptions) => void;
}

/** Shows a panorama flat, or as from its middle. */
export const AroundButton = ({ item, options, onOptions }: StageCanvasProps): ReactElement | null => {
  const text = useMessages().panorama;
  if (!isAround(item)) return null;
  const { looksAround = false } = options;
  return (
    <IconButton
      icon="globe"
      label={text.around}
      title={text.aroundTitle}
      aria-pressed={looksAround}
      onClick={() => onOptions({ ...options, looksAround: !looksAround })}
    />
  );
};

/** Toolbar below the image. */
export const StageTools = ({
  item,
  options,
  onOptions,
  control,
  canCompare,
  isReviewing,
  onHold,
}: StageCanvasProps & {
  readonly control: Pick<ViewControl, 'zoomBy' | 'fit'>;
  readonly canCompare: boolean;
  readonly isReviewing: boolean;
  readonly onHold: (isHeld: boolean) => void;
}): ReactElement => {
  const { stage: text, review: reviewText } = useMessages();
  const zoom = (factor: number) => () => control.zoomBy(factor);
  return (
    <div className={`${styles['tools']} ${styles['wrapping']}`}>
      <StageFacts item={item} />
      <Button
        className={styles['boxes']}
        variant="quiet"
        aria-pressed={isReviewing}
        title={reviewText.editTitle}
        disabled={!canReview(item)}
        onClick={() => onOptions({ ...options, review: { ...options.review, isOn: !isReviewing } })}
      >
        <Icon name="pencil" />
        {reviewText.edit}
      </Button>
      <Button
        className={styles['boxes']}
        variant="quiet"
        aria-pressed={options.hasBoxes}
        title={text.boxesTitle}
        onClick={() => onOptions({ ...options, hasBoxes: !options.hasBoxes })}
      >
        <Icon name="boxes" />
        {text.boxes}
      </Button>
      <AroundButton {...{ item, options, onOptions }} />
      <HoldButton isDisabled={!canCompare} onHold={onHold} />
      <span className={`${styles['separator']} ${styles['zoom']}`} />
      <IconButton
        className={styles['zoom']}
        icon="minus"
        label={text.zoomOut}
        onClick={zoom(1 / ZOOM_STEP)}
      />
      <IconButton className={styles['zoom']} icon="fit" label={text.fit} onClick={control.fit} />
      <IconButton className={styles['zoom']} icon="add" label={text.zoomIn} onClick={zoom(ZOOM_STEP)} />
    </div>
  );
};
