import { useEffect, useState } from 'react';
import { useServices } from '../services';

/** The anonymised file of a task. While another task's file is fetched, the last one stays. */
export const useResultFile = (taskId: string | null): Blob | null => {
  const { anonymiser } = useServices();
  const [file, setFile] = useState<Blob | null>(null);
  useEffect(() => {
    if (taskId === null) return setFile(null);
    let isCurrent = true;
    anonymiser.picture(taskId).then(
      (fetched) => isCurrent && setFile(fetched),
      () => isCurrent && setFile(null),
    );
    return () => {
      isCurrent = false;
    };
  }, [anonymiser, taskId]);
  return file;
};
