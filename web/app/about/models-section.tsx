import { useEffect, useState, type ReactElement } from 'react';
import type { ModelFacts } from '../../host/list-models';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { readableBackend } from '../shell/readable-backend';
import { Button } from '../ui/button';
import styles from './about.module.css';
import { AddModel } from './add-model';

/** Number of characters of a hash that identify a file. */
const HASH_CHARACTERS = 12;

const useModels = (): readonly ModelFacts[] => {
  const { engine, ownModels } = useServices();
  const status = useStore(engine.status, (current) => current);
  const changes = useStore(ownModels.changes, (count) => count);
  const [models, setModels] = useState<readonly ModelFacts[]>([]);
  const usedPacks = status.state === 'ready' ? status.ownPacks : undefined;
  useEffect(() => {
    let isCurrent = true;
    ownModels.list(usedPacks).then(
      (listed) => isCurrent && setModels(listed),
      () => undefined, // Without a list there is nothing to show.
    );
    return () => {
      isCurrent = false;
    };
  }, [ownModels, usedPacks, changes]);
  return models;
};

const ModelRow = ({ model }: { readonly model: ModelFacts }): ReactElement => {
  const messages = useMessages();
  const text = messages.models;
  const { ownModels } = useServices();
  const { id, classes, bytes, sha256, licence, packId, use } = model;
  return (
    <tr title={licence} data-testid={packId === undefined ? 'model' : 'own-model'} data-use={use}>
      <th scope="row">{id}</th>
      <td>{classes.map((name) => messages.classes[name]).join(', ')}</td>
      <td className={styles['hash']} title={sha256}>
        {sha256.slice(0, HASH_CHARACTERS)}
      </td>
      <td>{text.megabytes(bytes)}</td>
      <td>
        {text.uses[use]}{' '}
        {packId !== undefined && (
          <Button aria-label={text.removeNamed(id)} onClick={() => void ownModels.remove(packId)}>
            {text.remove}
          </Button>
        )}
      </td>
    </tr>
  );
};

/** Table of models with their classes and state. */
export const ModelsSection = (): ReactElement => {
  const messages = useMessages();
  const text = messages.models;
  const { engine } = useServices();
  const status = useStore(engine.status, (current) => current);
  const models = useModels();
  return (
    <section className={styles['section']} data-testid="models">
      <h3>{text.title}</h3>
      <p>
        {status.state === 'ready'
          ? text.runsOn(messages.engine.backend(readableBackend(status.backend)))
          : text.notLoaded}
      </p>
      <div className={styles['scroller']} tabIndex={0} role="region" aria-label={text.title}>
        <table className={`${styles['table']} ${styles['models']}`}>
          <thead>
            <tr>
              <th scope="col">{text.name}</th>
              <th scope="col">{text.classes}</th>
              <th scope="col">{text.hash}</th>
              <th scope="col">{text.size}</th>
              <th scope="col">{text.use}</th>
            </tr>
          </thead>
          <tbody>
            {models.map((model) => (
              <ModelRow key={model.id} model={model} />
            ))}
          </tbody>
        </table>
      </div>
      <AddModel />
    </section>
  );
};
