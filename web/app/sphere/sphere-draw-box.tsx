import type { KeyboardEvent, PointerEvent, ReactElement } from 'react';
import { toBbox, type Box } from '#shared/domain/boxes';
import { middleOf } from '../boxes/box-geometry';
import { useMessages } from '../messages';
import type { EditedView } from '../review/use-review-input';
import { DrawBar, focusOnce, useDrawnBox, type DrawProps } from '../video/draw-box';
import { toScreen, type Scene } from './sphere-geometry';
import { Handles, Outlines, partOnStage, placeOf } from './sphere-parts';
import videoStyles from '../video/video.module.css';
import styles from './sphere.module.css';

const isInView = (scene: Scene, box: Box): boolean => {
  const { width, height } = scene.stage;
  const at = toScreen(scene, middleOf(box));
  return at !== undefined && at.x >= 0 && at.x <= width && at.y >= 0 && at.y <= height;
};

/** A box that is drawn on the frame in view, as the camera in the sphere sees it. */
export const SphereDrawBox = ({
  scene,
  view,
  onPress,
  onLookAt,
  ...props
}: DrawProps & {
  readonly scene: Scene;
  readonly view: EditedView;
  /** See `useEditedView`. */
  readonly onPress: () => void;
  readonly onLookAt: (box: Box) => void;
}): ReactElement => {
  const text = useMessages().video;
  const { box, pointer, onKeyDown, decide } = useDrawnBox(view, props);
  const shown = { key: 'box', shape: { shape: 'box', bbox: toBbox(box) }, look: 'draft' } as const;
  const grab = {
    ...{ style: placeOf(partOnStage(scene, box)), tabIndex: 0, ref: focusOnce, role: 'group' },
    ...{ 'aria-label': text.drawnBox, 'aria-describedby': 'draw-box-keys', 'data-box': true },
  };
  return (
    <div className={`over ${videoStyles['layer']}`} onKeyDown={decide} data-testid="draw-box">
      <div
        className={`over ${styles['area']}`}
        {...pointer}
        onPointerDown={(event: PointerEvent<HTMLElement>) => {
          onPress();
          pointer.onPointerDown(event);
        }}
        // The box keeps the focus, so that its keys act.
        onMouseDown={(event) => event.preventDefault()}
      >
        <Outlines scene={scene} shown={[{ ...shown, isSelected: true }]} />
        <div
          {...grab}
          className={`${styles['item']} ${styles['grab']}`}
          onKeyDown={(event: KeyboardEvent) => {
            // Keys may move it out of sight.
            if (!isInView(scene, box)) onLookAt(box);
            onKeyDown(event);
          }}
        />
        <Handles scene={scene} box={box} />
      </div>
      <DrawBar {...props} box={box} />
    </div>
  );
};
