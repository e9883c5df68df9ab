import { useEffect, useState, type ReactElement } from 'react';
import type { MetadataKind } from '#shared/domain/image-header';
import type { MediaItem } from '../../state/media-item';
import type { Settings } from '../../state/settings';
import { useMessages, type Messages } from '../messages';
import { useServices } from '../services';
import styles from './removed-metadata.module.css';
import { Notice } from '../ui/notice';
import { ParameterTicks } from './parameter-ticks';

/** Metadata kinds of the original; undefined until the file is read. */
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

/** Kinds that are partly kept if the user wants it. */
const KEPT: ReadonlySet<MetadataKind> = new Set(['place', 'exif']);

const titleOf = ({ status, result }: MediaItem, text: Messages['metadata']): string =>
  status === 'done' && result?.hasPicture ? text.removed : text.found;

const Kinds = ({
  title,
  kinds,
}: {
  readonly title: string;
  readonly kinds: readonly MetadataKind[] | undefined;
}): ReactElement => {
  const text = useMessages().metadata;
  return (
    <>
      <h3 className={styles['title']}>{title}</h3>
      <ul className={styles['list']}>
        {kinds?.map((kind) => (
          <li key={kind} data-kind={kind} title={text.descriptions[kind]}>
            {text.kinds[kind]}
          </li>
        ))}
      </ul>
    </>
  );
};

/** Metadata of the original: what is removed, what is kept, and the switch for it. */
export const RemovedMetadata = ({
  picture,
  settings,
  onChange,
}: {
  readonly picture: MediaItem;
  readonly settings: Settings;
  readonly onChange: (settings: Settings) => void;
}): ReactElement => {
  const text = useMessages().metadata;
  const found = useMetadata(picture.file);
  const keeps = picture.result?.revisable?.made.settings.keepMetadata ?? false;
  const kept = keeps ? found?.filter((kind) => KEPT.has(kind)) : [];
  return (
    <section data-testid="metadata">
      <Kinds title={titleOf(picture, text)} kinds={found?.filter((kind) => !kept?.includes(kind))} />
      {found?.length === 0 && <Notice variant="line">{text.none}</Notice>}
      {kept !== undefined && kept.length > 0 && <Kinds title={text.kept} kinds={kept} />}
      <ParameterTicks on="images" settings={settings} onChange={onChange} />
    </section>
  );
};
