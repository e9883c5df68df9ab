import { useEffect, useRef, useState } from 'react';
import { RefusedRequest } from '#shared/api/client';
import { NO_SUBJECT } from '#shared/domain/subject';
import { cropSample, type SelectedFace } from '../../state/subjects/crop-sample';
import { createPerson, forgetPerson, photosOf, type SubjectHost } from '../../state/subjects/shown-person';
import { useAppState, useServices } from '../services';
import { useSubjectTexts } from './subject-texts';

/** The samples of the person who stays visible, and what a user can do with them. */
export interface SubjectChoice {
  readonly photos: readonly File[];
  /** Whether somebody stays visible now. */
  readonly isOn: boolean;
  readonly isBusy: boolean;
  /** One sentence about the last failure. */
  readonly error: string | undefined;
  add(files: readonly File[]): void;
  remove(photo: File): void;
  start(): Promise<void>;
  stop(): void;
}

/** @param host computed once when it is needed, because the user may select a server meanwhile */
export const useSubject = (
  face: SelectedFace | undefined,
  host: () => SubjectHost,
  onDone: () => void,
): SubjectChoice => {
  const text = useSubjectTexts();
  const { store, displayable } = useServices();
  const { settings } = useAppState();
  const { show = NO_SUBJECT } = settings;
  const [photos, setPhotos] = useState<readonly File[]>(() => photosOf(show));
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const hasCropped = useRef(false);
  const add = (files: readonly File[]): void => setPhotos((before) => [...before, ...files]);

  useEffect(() => {
    const { pictures, selectedId } = store.get();
    const picture = pictures.find(({ id }) => id === selectedId);
    if (!face || !picture || hasCropped.current) return;
    hasCropped.current = true;
    cropSample(picture, face, displayable).then(
      (photo) => add([photo]),
      () => setError(text.noCrop),
    );
  }, [face, store, displayable, text]);

  /** The settings change first: files are then not processed with a deleted person. */
  const choose = (next: string): void => {
    store.send({ type: 'subject-chosen', show: next });
    void forgetPerson(show);
    onDone();
  };
  return {
    photos,
    isOn: show !== NO_SUBJECT,
    isBusy,
    error,
    add,
    remove: (photo) => setPhotos((before) => before.filter((one) => one !== photo)),
    start: async () => {
      setBusy(true);
      setError(undefined);
      try {
        choose(await createPerson(host(), photos));
      } catch (cause) {
        setError(cause instanceof RefusedRequest ? cause.message : text.unreachable);
        setBusy(false);
      }
    },
    stop: () => choose(NO_SUBJECT),
  };
};
