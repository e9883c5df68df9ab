import { useEffect, useState, type ReactElement } from 'react';
import type { MetadataKind } from '#shared/pipeline/source-metadata';
import type { Picture } from '../../state/picture';
import { useMessages, type Messages } from '../messages';
import { useServices } from '../services';
import styles from './removed-metadata.module.css';

/** What the picture's file tells; undefined until it has been read. */
const useMetadata = (file: File): readonly MetadataKind[] | undefined => {
  const { findMetadata } = useServices();
  const [found, setFound] = useState<readonly MetadataKind[]>();
  useEffect(() => {
    let isShown = true;
    setFound(undefined);
    void findMetadata(file).then((kinds) => isShown && setFound(kinds));
    return () => {
      isShown = false;
    };
  }, [file, findMetadata]);
  return found;
};

const titleOf = ({ status, result }: Picture, text: Messages['metadata']): string =>
  status === 'done' && result?.hasPicture ? text.removed : text.found;

/** What the original tells beside its pixels, and its result does not. */
export const RemovedMetadata = ({ picture }: { readonly picture: Picture }): ReactElement => {
  const text = useMessages().metadata;
  const found = useMetadata(picture.file);
  return (
    <section data-testid="metadata">
      <h3 className={styles['title']}>{titleOf(picture, text)}</h3>
      {found?.length === 0 && <p className={styles['none']}>{text.none}</p>}
      <ul className={styles['list']}>
        {found?.map((kind) => (
          <li key={kind} data-kind={kind} title={text.explained[kind]}>
            {text.kinds[kind]}
          </li>
        ))}
      </ul>
    </section>
  );
};
