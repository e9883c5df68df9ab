import { useEffect, useRef, useState, type ReactElement } from 'react';
import type { MediaItem, MediaResult } from '../../state/media-item';
import { isSavable } from '../../state/save';
import { photosOf } from '../../state/subjects/shown-person';
import { hidingEvents, visibleFaces, type VisibleFace } from '../../state/subjects/visible-faces';
import { isOutdated } from '../../state/wanted-edits';
import { useAppState, useServices, type AppServices } from '../services';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Notice } from '../ui/notice';
import { PhotoView } from './photo-view';
import { useSubjectTexts } from '../messages/subjects';
import styles from './subjects.module.css';
import { cropForView } from '../../state/subjects/crop-sample';

/** A visible face with a crop of the result; without one if the browser cannot show the file. */
interface ShownFace extends VisibleFace {
  readonly fileName: string;
  readonly crop: Blob | undefined;
}

type Reading = Pick<AppServices, 'anonymiser' | 'displayable'>;

const facesIn = async (
  { id, file: original, result }: MediaItem,
  { anonymiser, displayable }: Reading,
): Promise<readonly ShownFace[]> => {
  const found = await visibleFaces({ id, result }, anonymiser);
  if (!result || found.length === 0) return [];
  const saved = await anonymiser.file(result);
  const file = new File([saved], original.name, { type: saved.type });
  return Promise.all(
    found.map(async (face) => {
      const crop = cropForView({ id, file, result }, face, displayable);
      return { ...face, fileName: original.name, crop: await crop.catch(() => undefined) };
    }),
  );
};

/** The visible faces of these files. They are read again when a result is replaced. */
const useVisibleFaces = (items: readonly MediaItem[]) => {
  const { anonymiser, displayable } = useServices();
  /** Undefined until they are read for the first time. */
  const [read, setRead] = useState<{
    faces: readonly ShownFace[];
    results: readonly (MediaResult | null)[];
  }>();
  const [hasFailed, setFailed] = useState(false);
  const byResult = useRef(new Map<MediaResult | null, readonly ShownFace[]>());
  const results = items.map(({ result }) => result);

  useEffect(() => {
    let isGone = false;
    const readAll = async (): Promise<void> => {
      // One after another, so that one result is in memory.
      for (const item of items) {
        if (isGone) return;
        const faces = byResult.current.get(item.result);
        byResult.current.set(item.result, faces ?? (await facesIn(item, { anonymiser, displayable })));
      }
      const faces = results.flatMap((result) => byResult.current.get(result) ?? []);
      if (!isGone) setRead({ faces, results });
    };
    readAll().catch(() => !isGone && setFailed(true));
    return () => {
      isGone = true;
    };
    // Other changes of the items do not change the visible faces.
  }, [anonymiser, displayable, results.length, ...results]);
  /** Whether they belong to the current results. */
  const isCurrent =
    read?.results.length === results.length && read.results.every((one, index) => one === results[index]);
  return { faces: read?.faces, isCurrent, hasFailed };
};

/** An export that waits until a user has checked the visible faces. */
export interface CheckedExport {
  readonly ids: readonly string[];
  readonly run: (items: readonly MediaItem[]) => void;
}

/** Whether edits are not in the result yet. */
const isBusy = (item: MediaItem): boolean => isOutdated(item) || item.revision === 'wanted';

/** A visible face, next to a sample photo of the person if it is similar. */
const FaceRow = ({
  face,
  onUneditable,
}: {
  readonly face: ShownFace;
  readonly onUneditable: () => void;
}): ReactElement => {
  const text = useSubjectTexts();
  const { store } = useServices();
  const { items } = useAppState();
  const item = items.find(({ id }) => id === face.fileId);
  const [sample] = photosOf(item?.settings?.show);
  const hide = (): void => {
    const events = item && hidingEvents(item, face);
    if (events) events.forEach(store.send);
    else onUneditable();
  };
  return (
    <li data-testid="visible-face">
      {/* A face that was made visible by hand may belong to anybody. */}
      {face.confidence === undefined ? <span /> : <PhotoView photo={sample} label={text.visible.sample} />}
      <PhotoView photo={face.crop} label={text.visible.face(face.fileName)} />
      <p>
        {face.fileName}
        {face.confidence !== undefined && <small>{text.visible.confidence(face.confidence)}</small>}
        {face.isByHand && <small>{text.visible.byHand}</small>}
      </p>
      <Button aria-label={text.visible.hideIn(face.fileName)} onClick={hide}>
        {text.visible.hide}
      </Button>
    </li>
  );
};

/** Progress and failures below the list. */
const Messages = ({
  faces,
  isReady,
  failure,
}: {
  readonly faces: readonly ShownFace[] | undefined;
  readonly isReady: boolean;
  readonly failure: string | undefined;
}): ReactElement => {
  const text = useSubjectTexts().visible;
  const waiting = faces ? text.waiting : text.reading;
  return (
    <>
      <Notice role="status">{isReady ? faces?.length === 0 && text.none : !failure && waiting}</Notice>
      <Notice isWarning role="alert">
        {failure}
      </Notice>
    </>
  );
};

/** Starts an export without visible faces at once. A list that has become empty stays: the user has hidden a face. */
const useExportWithoutFaces = (faces: readonly ShownFace[] | undefined, finish: () => void): void => {
  const hadFaces = useRef(false);
  useEffect(() => {
    if (!faces || hadFaces.current) return;
    hadFaces.current = true;
    if (faces.length === 0) finish();
    // A new function is no reason to export again.
  }, [faces]);
};

/** All faces that will be visible in an export. */
export const VisibleFaces = ({
  ids,
  run,
  onClose,
}: CheckedExport & { readonly onClose: () => void }): ReactElement => {
  const text = useSubjectTexts().visible;
  const items = useAppState().items.filter(({ id }) => ids.includes(id));
  const { faces, isCurrent, hasFailed } = useVisibleFaces(items.filter(isSavable));
  const [isUneditable, setUneditable] = useState(false);
  const isReady = isCurrent && !items.some(isBusy);
  const finish = (): void => {
    onClose();
    run(items);
  };
  useExportWithoutFaces(faces, finish);
  const failure = hasFailed ? text.failed : text.cannotHide;
  return (
    <Dialog title={text.title} className={styles['dialog']} onClose={onClose}>
      <p>{text.lead}</p>
      <ul className={styles['faces']}>
        {faces?.map((face) => (
          <FaceRow
            key={[face.fileId, face.trackId, ...Object.values(face.box)].join(' ')}
            face={face}
            onUneditable={() => setUneditable(true)}
          />
        ))}
      </ul>
      <Messages faces={faces} isReady={isReady} failure={hasFailed || isUneditable ? failure : undefined} />
      <div className="row">
        <Button variant="primary" disabled={!isReady || hasFailed} onClick={finish}>
          {text.exportNow}
        </Button>
      </div>
    </Dialog>
  );
};
