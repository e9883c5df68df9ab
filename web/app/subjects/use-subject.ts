import { useEffect, useRef, useState } from 'react';
import { RefusedRequest } from '#shared/api/client';
import { LIMITS } from '#shared/domain/limits';
import { NO_SUBJECT } from '#shared/domain/subject';
import { cropSamples, type SelectedFace } from '../../state/subjects/crop-sample';
import type { SubjectHost } from '../../state/subjects/shown-person';
import { createPerson, forgetPerson, photosOf, withoutRefused } from '../../state/subjects/shown-person';
import { useAppState, useServices } from '../services';
import { useSubjectTexts } from '../messages/subjects';

/** Crops the selected faces once, when the dialog opens. */
const useCroppedFaces = (
  faces: readonly SelectedFace[],
  onCropped: (photos: readonly File[]) => void,
  onFailure: () => void,
): void => {
  const { store, displayable } = useServices();
  const hasCropped = useRef(false);
  useEffect(() => {
    const { pictures, selectedId } = store.get();
    const picture = pictures.find(({ id }) => id === selectedId);
    if (faces.length === 0 || !picture || hasCropped.current) return;
    hasCropped.current = true;
    cropSamples(picture, faces, displayable).then(onCropped, onFailure);
    // Other functions are no reason to crop again.
  }, [faces, store, displayable]);
};

/**
 * The samples of the person who stays visible, and what a user can do with them.
 *
 * @param faces the selected face, in one image or in several frames of a video
 * @param host computed once when it is needed, because the user may select a server meanwhile
 */
export const useSubject = (faces: readonly SelectedFace[], host: () => SubjectHost, onDone: () => void) => {
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
export type SubjectChoice = ReturnType<typeof useSubject>;
