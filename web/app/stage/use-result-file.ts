import { useEffect, useState } from 'react';
import type { MediaResult } from '../../state/media-item';
import { useServices } from '../services';

/** The anonymised file of a result. The previous file stays until the next one is loaded. */
export const useResultFile = (result: MediaResult | null): Blob | null => {
  const { anonymiser } = useServices();
  const [file, setFile] = useState<Blob | null>(null);
  useEffect(() => {
    if (!result?.hasPicture) return setFile(null);
    let isCurrent = true;
    anonymiser.file(result).then(
      (fetched) => isCurrent && setFile(fetched),
      () => isCurrent && setFile(null),
    );
    return () => {
      isCurrent = false;
    };
  }, [anonymiser, result]);
  return file;
};
