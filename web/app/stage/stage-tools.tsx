import type { ReactElement, ReactNode } from 'react';
import { useMessages } from '../messages';
import { Button, IconButton } from '../ui/button';
import { Icon } from '../ui/icons';
import styles from './stage-tools.module.css';
import { ZOOM_STEP, type ViewControl } from './use-view';

/** The bar under the picture. */
export const StageTools = ({
  control,
  hasBoxes,
  canCompare,
  onToggleBoxes,
  onHold,
  children,
}: {
  readonly control: ViewControl;
  readonly hasBoxes: boolean;
  readonly canCompare: boolean;
  readonly onToggleBoxes: () => void;
  readonly onHold: (isHeld: boolean) => void;
  readonly children: ReactNode;
}): ReactElement => {
  const text = useMessages().stage;
  const release = (): void => onHold(false);
  const zoom = (factor: number) => () => control.zoomBy(factor);
  return (
    <div className={styles['tools']}>
      {children}
      <Button
        className={styles['boxes']}
        look="quiet"
        aria-pressed={hasBoxes}
        title={text.boxesTitle}
        onClick={onToggleBoxes}
      >
        <Icon name="boxes" />
        {text.boxes}
      </Button>
      <IconButton
        icon="eye"
        label={text.hold}
        title={text.holdTitle}
        disabled={!canCompare}
        onPointerDown={() => onHold(true)}
        onPointerUp={release}
        onPointerLeave={release}
        onPointerCancel={release}
        onKeyDown={({ key }) => (key === ' ' || key === 'Enter') && onHold(true)}
        onKeyUp={release}
        onBlur={release}
        onContextMenu={(event) => event.preventDefault()}
      />
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
