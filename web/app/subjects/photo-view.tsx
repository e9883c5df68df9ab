import { useEffect, useState, type ReactElement } from 'react';
import { useServices } from '../services';
import styles from './subjects.module.css';

/** A photo in a fixed frame; empty while it is loaded, or if the browser cannot show it. */
export const PhotoView = ({
  photo,
  label,
}: {
  readonly photo: Blob | undefined;
  readonly label: string;
}): ReactElement => {
  const { displayable } = useServices();
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!photo) return undefined;
    let made: string | undefined;
    let isGone = false;
    const shown = photo instanceof File ? displayable(photo) : Promise.resolve(photo);
    shown.then(
      (blob) => {
        if (isGone) return;
        made = URL.createObjectURL(blob);
        setUrl(made);
      },
      () => undefined, // the frame stays empty
    );
    return () => {
      isGone = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [photo, displayable]);
  return <div className={styles['photo']}>{url && <img src={url} alt={label} />}</div>;
};
