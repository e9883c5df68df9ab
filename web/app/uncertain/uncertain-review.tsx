import { useEffect, useRef, useState, type ReactElement, useLayoutEffect, type KeyboardEvent } from 'react';
import { storedReviewer } from '../../state/stored-choice';
import type { ObjectCrops, ShownCrop } from '../../state/uncertain/crop-cache';
import type { UncertainObject } from '../../state/uncertain/uncertain-object';
import { useMessages } from '../messages';
import { useAppState } from '../services';
import { styleOf } from '../boxes/box-geometry';
import boxes from '../boxes/boxes.module.css';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Notice } from '../ui/notice';
import { ReviewerForm, ReviewerLine } from './reviewer-name';
import { useUncertainTexts } from '../messages/uncertain';
import styles from './uncertain.module.css';
import { useCrops, useDecisions, type Decisions } from './use-decisions';
import { boxHeight, boxWidth, moveBox, type Box } from '#shared/domain/boxes';
import type { ObjectClass } from '#shared/catalogue/classes';

/** One key for each decision. They act while the image has the focus (WCAG 2.1.4). */
const decisionKeys = ({ decide, skip, back }: Decisions) => {
  const actions: Readonly<Record<string, () => void>> = {
    h: () => decide('hide'),
    Enter: () => decide('hide'),
    s: () => decide('show'),
    ' ': skip,
    ArrowRight: skip,
    ArrowLeft: back,
    u: back,
  };
  return (event: KeyboardEvent): void => {
    // Arrow keys would select another file behind the dialog.
    if (event.key.startsWith('Arrow')) event.stopPropagation();
    const act = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const isOwn = event.target === event.currentTarget;
    if (!act || !isOwn || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    // A held key must not decide about objects that nobody has seen.
    if (!event.repeat) act();
  };
};

/** Place of a box in the shown part, as CSS. */
const placeIn = (region: Box, box: Box) =>
  styleOf(moveBox(box, -region.x1, -region.y1), { width: boxWidth(region), height: boxHeight(region) });

/** A crop with the outline of its object. */
const CropView = ({
  crop: { bitmap, region },
  box,
  objectClass,
}: {
  readonly crop: ShownCrop;
  readonly box: Box;
  readonly objectClass: ObjectClass;
}): ReactElement => {
  const canvas = useRef<HTMLCanvasElement>(null);
  // Before the paint, so that the outline never lies over the crop before.
  useLayoutEffect(() => {
    const { current } = canvas;
    if (!current || !bitmap) return;
    [current.width, current.height] = [bitmap.width, bitmap.height];
    current.getContext('2d')?.drawImage(bitmap, 0, 0);
  }, [bitmap]);
  return (
    <div className={styles['crop']} style={{ aspectRatio: boxWidth(region) / boxHeight(region) }}>
      <canvas ref={canvas} aria-hidden="true" />
      <div className={boxes['box']} data-class={objectClass} style={placeIn(region, box)} />
    </div>
  );
};

const useFileName = (id: string | undefined): string =>
  useAppState().items.find((item) => item.id === id)?.file.name ?? '';

/** Class, score, place and decision of an object. */
const Facts = ({
  object: { objectClass, score, fileId, atS },
  decision = 'none',
}: {
  readonly object: UncertainObject;
  readonly decision: 'hide' | 'show' | 'none' | undefined;
}): ReactElement => {
  const text = useUncertainTexts();
  const { objectName } = useMessages();
  const name = useFileName(fileId);
  const rows = [
    [text.labels.kind, objectName(objectClass)],
    [text.labels.score, text.score(score)],
    [text.labels.file, atS === undefined ? name : `${name}, ${text.at(atS)}`],
    [text.labels.state, text.decisions[decision]],
  ] as const;
  return (
    <dl className={styles['facts']}>
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
};

/** A crop of the original around the object, and in videos of the frames before and after. */
const ObjectView = ({
  object: { box, objectClass, atS },
  crops: { main, neighbours },
}: {
  readonly object: UncertainObject;
  readonly crops: ObjectCrops;
}): ReactElement => {
  const text = useUncertainTexts();
  return (
    <>
      <div className={`centred ${styles['main']}`}>
        {main?.bitmap && <CropView crop={main} box={box} objectClass={objectClass} />}
        {main?.bitmap === null && <p className={styles['none']}>{text.notShown}</p>}
      </div>
      {atS !== undefined && (
        <div className={styles['strip']} role="group" aria-label={text.neighbours}>
          {neighbours.map(
            (crop, index) =>
              crop.bitmap && <CropView key={index} crop={crop} box={box} objectClass={objectClass} />,
          )}
        </div>
      )}
    </>
  );
};

/** Takes the keys: the object in view, or the end of the list. */
const View = ({ decisions }: { readonly decisions: Decisions }): ReactElement => {
  const text = useUncertainTexts();
  const { objectName } = useMessages();
  const { objects, at, current, decidedCount } = decisions;
  const crops = useCrops(objects, at);
  const name = useFileName(current?.fileId);
  const view = useRef<HTMLDivElement>(null);
  // A button that was pressed would take Enter and space from the image.
  useEffect(() => view.current?.focus({ preventScroll: true }), [at]);
  return (
    <div
      ref={view}
      className={`stack ${styles['view']}`}
      role="application"
      aria-label={current ? text.image(objectName(current.objectClass), name) : text.title}
      tabIndex={0}
      data-testid="uncertain-view"
      data-ready={crops.main !== undefined}
      onKeyDown={decisionKeys(decisions)}
    >
      {current ? (
        <ObjectView object={current} crops={crops} />
      ) : (
        <Notice variant="box">{objects.length === 0 ? text.empty : text.end(decidedCount)}</Notice>
      )}
    </div>
  );
};

const Actions = ({
  decisions: { decide, skip, back, at, current },
}: {
  readonly decisions: Decisions;
}): ReactElement => {
  const text = useUncertainTexts();
  const acts = { back, show: () => decide('show'), hide: () => decide('hide'), skip };
  return (
    <div className={styles['actions']}>
      {(['back', 'show', 'hide', 'skip'] as const).map((name) => {
        const [label, keys] = text.actions[name];
        const isOff = name === 'back' ? at === 0 : !current;
        return (
          <Button
            key={name}
            variant={name === 'hide' ? 'primary' : 'secondary'}
            disabled={isOff}
            onClick={acts[name]}
          >
            <span>{label}</span>
            <kbd>{keys}</kbd>
          </Button>
        );
      })}
    </div>
  );
};

/** One object after the other. */
const Review = (): ReactElement => {
  const text = useUncertainTexts();
  const { objectName } = useMessages();
  const decisions = useDecisions();
  const { objects, at, current, decision, failedCount, unrecordedCount, retry } = decisions;
  const problem = [
    ...(failedCount > 0 ? [text.failed(failedCount)] : []),
    ...(unrecordedCount > 0 ? [text.unrecorded(unrecordedCount)] : []),
  ].join(' ');
  const position = text.position(Math.min(at + 1, objects.length), objects.length);
  return (
    <>
      <p className={`figures ${styles['position']}`} data-testid="uncertain-position">
        {position}
      </p>
      <View decisions={decisions} />
      {current && (
        <>
          <p className={styles['doubt']}>{text.reasons[current.reason]}</p>
          <Facts object={current} decision={decision} />
        </>
      )}
      <Actions decisions={decisions} />
      <Notice isWarning role="alert" actions={problem && <Button onClick={retry}>{text.retry}</Button>}>
        {problem}
      </Notice>
      <p className="visually-hidden" role="status">
        {current &&
          `${position}: ${objectName(current.objectClass)}, ${text.score(current.score)}. ${text.reasons[current.reason]}`}
      </p>
    </>
  );
};

/** All uncertain objects of the finished files, the least certain first, each decided with one key. */
export const UncertainReview = ({ onClose }: { readonly onClose: () => void }): ReactElement => {
  const text = useUncertainTexts();
  const [name, setName] = useState(storedReviewer);
  const [isAsking, setAsking] = useState(name === null);
  const answered = (given: string): void => {
    setName(given);
    setAsking(false);
  };
  return (
    <Dialog title={text.title} className={styles['dialog']} onClose={onClose}>
      {isAsking ? (
        <ReviewerForm before={name ?? ''} onDone={answered} />
      ) : (
        <>
          <Review />
          <div className={`row soft ${styles['foot']}`}>
            <p>{text.keysHint}</p>
            <ReviewerLine name={name ?? ''} onChange={() => setAsking(true)} />
          </div>
        </>
      )}
    </Dialog>
  );
};
