import { type ReactElement, useEffect, useRef, useState } from 'react';
import { type SelectedFace, cropSamples } from '../../state/subjects/crop-sample';
import { useMessages } from '../messages';
import { useServices, useAppState } from '../services';
import { Button, IconButton } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { FileInput } from '../ui/file-picker';
import { Notice } from '../ui/notice';
import { PhotoView } from './photo-view';
import { useSubjectTexts } from '../messages/subjects';
import styles from './subjects.module.css';
import { RefusedRequest } from '#shared/api/client';
import { LIMITS } from '#shared/domain/limits';
import { NO_SUBJECT } from '#shared/domain/subject';
import {
  type SubjectHost,
  createPerson,
  forgetPerson,
  photosOf,
  withoutRefused,
} from '../../state/subjects/shown-person';

/** Crops the selected faces once, when the dialog opens. */
const useCroppedFaces = (
  faces: readonly SelectedFace[],
  onCropped: (photos: readonly File[]) => void,
  onFailure: () => void,
): void => {
  const { store, displayable } = useServices();
  const hasCropped = useRef(false);
  useEffect(() => {
    const { items, selectedId } = store.get();
    const item = items.find(({ id }) => id === selectedId);
    if (faces.length === 0 || !item || hasCropped.current) return;
    hasCropped.current = true;
    cropSamples(item, faces, displayable).then(onCropped, onFailure);
    // Other functions are no reason to crop again.
  }, [faces, store, displayable]);
};

/**
 * The samples of the person who stays visible, and what a user can do with them.
 *
 * @param faces the selected face, in one image or in several frames of a video
 * @param host computed once when it is needed, because the user may select a server meanwhile
 */
const useSubject = (faces: readonly SelectedFace[], host: () => SubjectHost, onDone: () => void) => {
  const text = useSubjectTexts();
  const { store } = useServices();
  const { settings } = useAppState();
  const { show = NO_SUBJECT } = settings;
  const [photos, setPhotos] = useState<readonly File[]>(() => photosOf(show));
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const frames = useRef<ReadonlySet<File>>(new Set());
  const add = (files: readonly File[]): void => setPhotos((before) => [...before, ...files]);
  useCroppedFaces(
    faces,
    (crops) => {
      if (faces.length > 1) frames.current = new Set(crops);
      setPhotos((before) => [
        ...before,
        ...crops.slice(0, Math.max(1, LIMITS.maxSubjectPhotos - before.length)),
      ]);
    },
    () => setError(text.noCrop),
  );

  /** The settings change first: files are then not processed with a deleted person. */
  const choose = (next: string): void => {
    store.send({ type: 'subject-chosen', show: next });
    void forgetPerson(show);
    onDone();
  };
  const create = async (): Promise<string> => {
    const chosen = host();
    try {
      return await createPerson(chosen, photos);
    } catch (cause) {
      const usable = await withoutRefused(chosen, photos, frames.current, cause);
      setPhotos(usable);
      return createPerson(chosen, usable);
    }
  };
  return {
    photos,
    isOn: show !== NO_SUBJECT,
    isBusy,
    error,
    add,
    remove: (photo: File): void => setPhotos((before) => before.filter((one) => one !== photo)),
    start: async (): Promise<void> => {
      setBusy(true);
      setError(undefined);
      try {
        choose(await create());
      } catch (cause) {
        setError(cause instanceof RefusedRequest ? cause.message : text.unreachable);
        setBusy(false);
      }
    },
    stop: () => choose(NO_SUBJECT),
  };
};
type SubjectChoice = ReturnType<typeof useSubject>;

const Photos = ({
  choice: { photos, add, remove, isBusy },
}: {
  readonly choice: SubjectChoice;
}): ReactElement => {
  const text = useSubjectTexts();
  return (
    <section className={styles['photos']} aria-label={text.photos} data-testid="subject-photos">
      {photos.length === 0 && <p>{text.noPhotos}</p>}
      <ul>
        {photos.map((photo, index) => (
          <li key={index}>
            <PhotoView photo={photo} label={text.photo(index + 1)} />
            <IconButton
              icon="trash"
              label={text.removePhoto(index + 1)}
              disabled={isBusy}
              onClick={() => remove(photo)}
            />
          </li>
        ))}
      </ul>
      <FileInput
        accept="image/*"
        multiple
        data-testid="subject-input"
        onFiles={add}
        render={(open) => (
          <Button disabled={isBusy} onClick={open}>
            {text.addPhotos}
          </Button>
        )}
      />
    </section>
  );
};

/** Sample photos of the person who stays visible in all files. */
export const SubjectDialog = ({
  faces,
  onClose,
}: {
  /** Frames of one face that become further samples. */
  readonly faces: readonly SelectedFace[];
  readonly onClose: () => void;
}): ReactElement => {
  const text = useSubjectTexts();
  const { said } = useMessages();
  const { subjectHost, server } = useServices();
  const host = () => {
    if (!subjectHost) throw new Error('This page creates no subjects.');
    return subjectHost();
  };
  const choice = useSubject(faces, host, onClose);
  const { photos, isOn, isBusy, error } = choice;
  return (
    <Dialog title={text.title} className={styles['dialog']} onClose={onClose}>
      <p>{text.lead}</p>
      <Notice variant="box">
        {text.consent} {host().name === 'server' ? text.onServer(server.address) : text.local}
      </Notice>
      <Photos choice={choice} />
      <Notice>{isOn && photos.length === 0 ? text.lost : text.advice}</Notice>
      {faces.length > 1 && <Notice>{text.checkFrames}</Notice>}
      <Notice isWarning role="alert">
        {error !== undefined && said(error)}
      </Notice>
      <div className="row">
        <Button
          variant="primary"
          disabled={photos.length === 0 || isBusy}
          onClick={() => void choice.start()}
        >
          {isBusy ? text.starting : text.start}
        </Button>
        {isOn && (
          <Button disabled={isBusy} onClick={choice.stop}>
            {text.stop}
          </Button>
        )}
      </div>
    </Dialog>
  );
};
