import { useRef, type KeyboardEvent, type PointerEvent, type ReactElement } from 'react';
import { useMessages } from '../messages';
import { Icon } from '../ui/icons';
import styles from './stage.module.css';

const STEP = 0.02;
const MIDDLE = 0.5;

const byKey = (key: string, share: number): number | undefined => {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return share - STEP;
    case 'ArrowRight':
    case 'ArrowUp':
      return share + STEP;
    case 'Home':
      return 0;
    case 'End':
      return 1;
    default:
      return undefined;
  }
};

/** Divider between original (left) and result (right), moved by dragging or by the arrow keys. */
export const Divider = ({
  share,
  onMove,
}: {
  /** Position as a share of the stage's width. */
  readonly share: number;
  readonly onMove: (share: number) => void;
}): ReactElement => {
  const messages = useMessages();
  const place = useRef<HTMLDivElement>(null);
  const move = (to: number): void => onMove(Math.min(1, Math.max(0, to)));
  const drag = (event: PointerEvent<HTMLElement>): void => {
    const stage = place.current?.parentElement?.getBoundingClientRect();
    if (stage && event.currentTarget.hasPointerCapture(event.pointerId)) {
      move((event.clientX - stage.left) / stage.width);
    }
  };
  const press = (event: KeyboardEvent): void => {
    const to = byKey(event.key, share);
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move(to);
  };
  return (
    <div ref={place} className={`over ${styles['place']}`}>
      <div
        className={styles['divider']}
        role="slider"
        tabIndex={0}
        aria-label={messages.stage.divider}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={messages.stage.dividerValue(share)}
        onKeyDown={press}
        onPointerDown={(event) => {
          event.stopPropagation();
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={drag}
        onDoubleClick={() => move(MIDDLE)}
      >
        <span className={`centred ${styles['handle']}`}>
          <Icon name="drag" />
        </span>
      </div>
    </div>
  );
};
