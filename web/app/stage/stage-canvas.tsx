import { useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import type { Picture } from '../../state/pictures';
import { messages } from '../messages';
import { Boxes } from './boxes';
import { Divider } from './divider';
import styles from './stage-canvas.module.css';
import { StageFacts } from './stage-facts';
import { StageNotice } from './stage-notice';
import { StageTools } from './stage-tools';
import { useObjectUrl } from './use-object-url';
import { useResultFile } from './use-result-file';
import { useSize } from './use-size';
import { KEY_STEP, useView, type ViewControl } from './use-view';
import { place, type Size } from './view-geometry';

export interface StageOptions {
  /** Share of the stage that shows the original. */
  readonly divider: number;
  readonly hasBoxes: boolean;
}

const byKey = (control: ViewControl, setHeld: (isHeld: boolean) => void, toggleBoxes: () => void) =>
  ({
    '+': () => control.zoomBy(KEY_STEP),
    '=': () => control.zoomBy(KEY_STEP),
    '-': () => control.zoomBy(1 / KEY_STEP),
    '0': control.fit,
    b: toggleBoxes,
    o: () => setHeld(true),
    ' ': () => setHeld(true),
  }) as Readonly<Record<string, () => void>>;

/** One picture, before and after. Letters act only while the stage has the focus. */
export const StageCanvas = ({
  picture,
  options,
  onOptions,
}: {
  readonly picture: Picture;
  readonly options: StageOptions;
  readonly onOptions: (options: StageOptions) => void;
}): ReactElement => {
  const { file, status, result } = picture;
  const canvas = useRef<HTMLDivElement>(null);
  const [originalSize, setOriginalSize] = useState<Size | null>(null);
  const [isHeld, setHeld] = useState(false);
  const [isResultLoaded, setResultLoaded] = useState(false);
  const isShown = status !== 'failed';
  const originalUrl = useObjectUrl(isShown ? file : null);
  const resultUrl = useObjectUrl(useResultFile(result?.hasPicture ? result.taskId : null));

  const size: Size | null = result ?? originalSize;
  const stage = useSize(canvas);
  const control = useView(canvas, stage, size);
  const placement = stage && size ? place(stage, size, control.view) : null;
  const hasDivider = resultUrl !== null && isShown;
  const hasBoxes = result !== null && isShown && (options.hasBoxes || !result.hasPicture);
  const toggleBoxes = (): void => onOptions({ ...options, hasBoxes: !options.hasBoxes });

  const onKeyDown = (event: KeyboardEvent): void => {
    const act = byKey(control, setHeld, toggleBoxes)[event.key];
    if (!act || event.target !== canvas.current) return;
    event.preventDefault();
    act();
  };
  const divider = hasDivider && isResultLoaded ? options.divider : 1;
  return (
    <>
      <div
        ref={canvas}
        className={styles['canvas']}
        style={{ '--divider': `${divider * 100}%` } as React.CSSProperties}
        data-zoomed={control.view.zoom > 1}
        data-held={isHeld}
        role="group"
        aria-label={messages.stage.region}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onKeyUp={() => setHeld(false)}
        onBlur={() => setHeld(false)}
        {...control.handlers}
      >
        {originalUrl && (
          <img
            className={styles['picture']}
            src={originalUrl}
            alt={messages.stage.originalAlt(file.name)}
            draggable={false}
            style={placement ?? { visibility: 'hidden' }}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
              setOriginalSize({ width, height })
            }
          />
        )}
        {hasDivider && (
          <div className={styles['result']}>
            <img
              className={styles['picture']}
              src={resultUrl}
              alt={messages.stage.resultAlt(file.name)}
              draggable={false}
              style={placement ?? { visibility: 'hidden' }}
              onLoad={() => setResultLoaded(true)}
              data-testid="result"
            />
          </div>
        )}
        {hasBoxes && placement && <Boxes objects={result.objects} picture={result} placement={placement} />}
        {hasDivider && (
          <>
            <span className={styles['tag']} data-side="left">
              {messages.stage.original}
            </span>
            <span className={styles['tag']} data-side="right">
              {messages.stage.result}
            </span>
            <Divider share={divider} onMove={(share) => onOptions({ ...options, divider: share })} />
          </>
        )}
        <StageNotice picture={picture} />
      </div>
      <StageTools
        control={control}
        hasBoxes={options.hasBoxes}
        onToggleBoxes={toggleBoxes}
        onHold={setHeld}
        canCompare={hasDivider}
      >
        <StageFacts picture={picture} />
      </StageTools>
    </>
  );
};
