import { useEffect, useState, type ReactElement } from 'react';
import type { ModelFacts } from '../../host/list-models';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { readableBackend } from '../shell/readable-backend';
import styles from './about.module.css';

/** As many characters of a hash as tell files apart. */
const HASH_CHARACTERS = 12;

const useModels = (): readonly ModelFacts[] => {
  const { listModels } = useServices();
  const [models, setModels] = useState<readonly ModelFacts[]>([]);
  useEffect(() => {
    listModels().then(setModels, () => undefined); // Without a list there is nothing to show.
  }, [listModels]);
  return models;
};

/** Which models look for what, and what they run on. */
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
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">{text.name}</th>
              <th scope="col">{text.classes}</th>
              <th scope="col">{text.hash}</th>
              <th scope="col">{text.size}</th>
            </tr>
          </thead>
          <tbody>
            {models.map(({ id, classes, bytes, sha256, licence }) => (
              <tr key={id} title={licence}>
                <th scope="row">{id}</th>
                <td>{classes.map((name) => messages.classes[name]).join(', ')}</td>
                <td className={styles['hash']}>{sha256.slice(0, HASH_CHARACTERS)}</td>
                <td>{text.megabytes(bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
};
