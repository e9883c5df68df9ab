import { useEffect, useState } from 'react';
import { useServices } from '../services';

/** An image that browsers can show: the file itself, or a preview of it; null until that is known. */
export const useDisplayable = (file: File | null): Blob | null => {
  const { displayable } = useServices();
  const [shown, setShown] = useState<Blob | null>(null);
  useEffect(() => {
    let isCurrent = true;
    setShown(null);
    if (file) void displayable(file).then((image) => isCurrent && setShown(image));
    return () => {
      isCurrent = false;
    };
  }, [displayable, file]);
  return shown;
};
