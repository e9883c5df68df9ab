import { useEffect, useRef, useState } from 'react';
import type { MediaItem, MediaResult } from '../../state/media-item';
import { cropForView } from '../../state/subjects/crop-sample';
import { visibleFaces, type VisibleFace } from '../../state/subjects/visible-faces';
import { useServices, type AppServices } from '../services';

/** A visible face with a crop of the result; without one if the browser cannot show the file. */
export interface ShownFace extends VisibleFace {
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

interface ReadFaces {
  readonly faces: readonly ShownFace[];
  readonly results: readonly (MediaResult | null)[];
}

/** The visible faces of these files. They are read again when a result is replaced. */
export const useVisibleFaces = (
  pictures: readonly MediaItem[],
): {
  /** Undefined until they are read for the first time. */
  readonly faces: readonly ShownFace[] | undefined;
  /** Whether they belong to the current results. */
  readonly isCurrent: boolean;
  readonly hasFailed: boolean;
} => {
  const { anonymiser, displayable } = useServices();
  const [read, setRead] = useState<ReadFaces>();
  const [hasFailed, setFailed] = useState(false);
  const byResult = useRef(new Map<MediaResult | null, readonly ShownFace[]>());
  const results = pictures.map(({ result }) => result);

  useEffect(() => {
    let isGone = false;
    const readAll = async (): Promise<void> => {
      // One after another, so that one result is in memory.
      for (const picture of pictures) {
        if (isGone) return;
        const faces = byResult.current.get(picture.result);
        byResult.current.set(picture.result, faces ?? (await facesIn(picture, { anonymiser, displayable })));
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
  const isCurrent =
    read?.results.length === results.length && read.results.every((one, index) => one === results[index]);
  return { faces: read?.faces, isCurrent, hasFailed };
};
