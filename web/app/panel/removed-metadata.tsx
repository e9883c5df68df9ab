import type { ReactElement } from 'react';
import { isKeptKind, type MetadataKind } from '#shared/domain/image-header';
import type { MediaItem } from '../../state/media-item';
import { useMessages, type Messages } from '../messages';
import { useServices } from '../services';
import { useRead } from '../ui/use-loaded';
import { Notice } from '../ui/notice';
import { ParameterCheckboxes } from './choices';
import styles from './panel.module.css';

const titleOf = ({ status, result }: MediaItem, text: Messages['metadata']): string =>
  status === 'done' && result?.hasImage ? text.removed : text.found;

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
      <h3 className={`title ${styles['heading']}`}>{title}</h3>
      <ul className={styles['kinds']}>
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
export const RemovedMetadata = ({ item }: { readonly item: MediaItem }): ReactElement => {
  const text = useMessages().metadata;
  const { findMetadata } = useServices();
  const { file } = item;
  const found = useRead(() => findMetadata(file), [file, findMetadata]);
  const { projection, editable } = item.result ?? {};
  const keepMetadata = editable?.appliedEdits.settings.keepMetadata ?? false;
  const kept = found?.filter((kind) => isKeptKind(kind, { keepMetadata, projection }));
  return (
    <section data-testid="metadata">
      <Kinds title={titleOf(item, text)} kinds={found?.filter((kind) => !kept?.includes(kind))} />
      {found?.length === 0 && <Notice>{text.none}</Notice>}
      {kept !== undefined && kept.length > 0 && <Kinds title={text.kept} kinds={kept} />}
      <ParameterCheckboxes on="metadata" />
    </section>
  );
};
