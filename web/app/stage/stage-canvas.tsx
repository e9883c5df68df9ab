import { useRef, useState, type CSSProperties, type ReactElement } from 'react';
import type { Picture } from '../../state/pictures';
import { useMessages } from '../messages';
import { Boxes } from './boxes';
import { Comparison } from './comparison';
import { Divider } from './divider';
import styles from './stage-canvas.module.css';
import { ObjectList } from './object-list';
import { StageFacts } from './stage-facts';
import { stageKeys } from './stage-keys';
import { StageNotice } from './stage-notice';
import { StageTools } from './stage-tools';
import { usePictureFiles } from './use-picture-files';
import { useSize } from './use-size';
import { useView } from './use-view';
import { place } from './view-geometry';

export interface StageOptions {
  /** Share of the stage that shows the original. */
  readonly divider: number;
  readonly hasBoxes: boolean;
}

/** Where only the original is to be seen. */
const ALL_ORIGINAL = 1;

const showsBoxes = ({ status, result }: Picture, { hasBoxes }: StageOptions): boolean =>
  status !== 'failed' && result !== null && (hasBoxes || !result.hasPicture);

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
  const messages = useMessages();
  const canvas = useRef<HTMLDivElement>(null);
  const [isHeld, setHeld] = useState(false);
  const [wasDone] = useState(picture.status === 'done');
  const files = usePictureFiles(picture);
  const stage = useSize(canvas);
  const control = useView(canvas, stage, files.size);
  const placement = stage && files.size ? place(stage, files.size, control.view) : null;
  const { canCompare } = files;
  const divider = canCompare ? options.divider : ALL_ORIGINAL;
  const toggleBoxes = (): void => onOptions({ ...options, hasBoxes: !options.hasBoxes });

  return (
    <>
      <div
        ref={canvas}
        className={styles['canvas']}
        style={{ '--divider': `${divider * 100}%` } as CSSProperties}
        data-zoomed={control.view.zoom > 1}
        data-held={isHeld}
        data-reveal={canCompare && !wasDone}
        role="group"
        aria-label={messages.stage.canvas(picture.file.name)}
        data-main-focus
        data-testid="stage"
        tabIndex={0}
        {...stageKeys({ control, toggleBoxes, setHeld })}
        {...control.handlers}
      >
        <Comparison name={picture.file.name} files={files} placement={placement} />
        {picture.result && placement && showsBoxes(picture, options) && (
          <Boxes objects={picture.result.objects} picture={picture.result} placement={placement} />
        )}
        {picture.result && <ObjectList objects={picture.result.objects} picture={picture.result} />}
        {canCompare && (
          <Divider share={divider} onMove={(share) => onOptions({ ...options, divider: share })} />
        )}
        <StageNotice picture={picture} />
      </div>
      <StageTools
        control={control}
        hasBoxes={options.hasBoxes}
        onToggleBoxes={toggleBoxes}
        onHold={setHeld}
        canCompare={canCompare}
      >
        <StageFacts picture={picture} />
      </StageTools>
    </>
  );
};
