import { useEffect, useState, type ReactElement, type DragEvent } from 'react';
import type { ModelFacts } from '../../host/list-models';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { readableBackend } from '../shell/readable-backend';
import { useRead } from '../ui/use-loaded';
import { FileInput } from '../ui/file-picker';
import { Button } from '../ui/button';
import about from './about.module.css';
import { ModelCandidate } from './model-candidate';
import { Recommended } from './recommended-models';
import { Notice } from '../ui/notice';

/** Drop area for model files, with a button as an alternative. */
const ModelDrop = (): ReactElement => {
  const text = useMessages().ownModels;
  const { ownModels } = useServices();
  const [isOver, setIsOver] = useState(false);
  const take = (event: DragEvent): void => {
    event.preventDefault(); // so that the page does not add them as images
    setIsOver(false);
    void ownModels.open([...event.dataTransfer.files]);
  };
  return (
    <div
      className={`soft ${about['drop']}`}
      data-over={isOver}
      data-testid="model-drop"
      onDragOver={() => setIsOver(true)}
      onDragLeave={() => setIsOver(false)}
      onDrop={take}
    >
      <p>{text.lead}</p>
      <FileInput
        accept=".onnx,.zip,.json"
        multiple
        data-testid="model-input"
        onFiles={(files) => void ownModels.open(files)}
        render={(open) => <Button onClick={open}>{text.choose}</Button>}
      />
    </div>
  );
};

/** Adds a user's model: dropped, read, tested, then used. */
const AddModel = (): ReactElement => {
  const text = useMessages().ownModels;
  const { ownModels } = useServices();
  const status = useStore(ownModels.adding, (current) => current);
  // Closing the dialog discards a model that was not accepted, and ends its worker.
  useEffect(() => ownModels.discard, [ownModels]);
  return (
    <div className={about['add']} data-testid="add-model" data-state={status.kind}>
      <h4>{text.title}</h4>
      {ownModels.isOffered ? <ModelDrop /> : <p className="soft">{text.unavailable}</p>}
      <Notice role="status">
        {status.kind === 'reading' ? text.reading : status.kind === 'added' && text.added(status.name)}
      </Notice>
      <Notice isWarning role="alert">
        {status.kind === 'refused' && text.refused(status.name, text.refusals[status.refusal])}
      </Notice>
      {status.kind === 'opened' && <ModelCandidate {...status} />}
    </div>
  );
};

/** Number of characters of a hash that identify a file. */
const HASH_CHARACTERS = 12;

const useModels = (): readonly ModelFacts[] => {
  const { engine, ownModels } = useServices();
  const status = useStore(engine.status, (current) => current);
  const changes = useStore(ownModels.changes, (count) => count);
  const usedPacks = status.state === 'ready' ? status.ownPacks : undefined;
  return useRead(() => ownModels.list(usedPacks), [ownModels, usedPacks, changes], true) ?? [];
};

const ModelRow = ({ model }: { readonly model: ModelFacts }): ReactElement => {
  const messages = useMessages();
  const text = messages.models;
  const { ownModels } = useServices();
  const { id, classes, bytes, sha256, licence, presets, packId, use } = model;
  return (
    <tr title={licence} data-testid={packId === undefined ? 'model' : 'own-model'} data-use={use}>
      <th scope="row">{id}</th>
      <td>{classes.map((name) => messages.classes[name]).join(', ')}</td>
      <td className={about['hash']} title={sha256}>
        {sha256.slice(0, HASH_CHARACTERS)}
      </td>
      <td>{text.megabytes(bytes)}</td>
      <td>
        {use === 'used' && presets
          ? text.usedFor(presets.map((preset) => messages.qualities[preset]))
          : text.uses[use]}{' '}
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
  const { engine, ownModels } = useServices();
  const status = useStore(engine.status, (current) => current);
  const models = useModels();
  return (
    <section className={about['section']} data-testid="models">
      <h3>{text.title}</h3>
      <p>
        {status.state === 'ready'
          ? text.runsOn(messages.engine.backend(readableBackend(status.backend)))
          : text.notLoaded}
      </p>
      <div className={about['scroller']} tabIndex={0} role="region" aria-label={text.title}>
        <table className={`${about['table']} ${about['models']}`}>
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
      {ownModels.isOffered && <Recommended models={models} />}
      <AddModel />
    </section>
  );
};
