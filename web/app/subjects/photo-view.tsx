import type { ReactElement } from 'react';
import { useServices } from '../services';
import { useObjectUrl } from '../stage/use-files';
import { useRead } from '../ui/use-loaded';
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
  const shown = useRead(
    async () => (photo instanceof File ? displayable(photo) : photo),
    [photo, displayable],
  );
  const url = useObjectUrl(shown ?? null);
  return <div className={`fitted ${styles['photo']}`}>{url && <img src={url} alt={label} />}</div>;
};
