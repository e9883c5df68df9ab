import { useEffect, useRef, useState, type DragEvent, type ReactElement } from 'react';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import about from './about.module.css';
import styles from './add-model.module.css';
import { ModelCandidate } from './model-candidate';
import { Notice } from '../ui/notice';

/** Drop area for model files, with a button as an alternative. */
const ModelDrop = (): ReactElement => {
  const text = useMessages().ownModels;
  const { ownModels } = useServices();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const take = (event: DragEvent): void => {
    event.preventDefault(); // so that the page does not add them as images
    setIsOver(false);
    void ownModels.open([...event.dataTransfer.files]);
  };
  return (
    <div
      className={styles['drop']}
      data-over={isOver}
      data-testid="model-drop"
      onDragOver={() => setIsOver(true)}
      onDragLeave={() => setIsOver(false)}
      onDrop={take}
    >
      <p>{text.lead}</p>
      <input
        ref={input}
        type="file"
        accept=".onnx,.zip,.json"
        multiple
        hidden
        data-testid="model-input"
        onChange={({ currentTarget }) => {
          void ownModels.open([...(currentTarget.files ?? [])]);
          currentTarget.value = ''; // so that the same file can be selected again
        }}
      />
      <Button onClick={() => input.current?.click()}>{text.choose}</Button>
    </div>
  );
};

/** Adds a user's model: dropped, read, tested, then used. */
export const AddModel = (): ReactElement => {
  const text = useMessages().ownModels;
  const { ownModels } = useServices();
  const status = useStore(ownModels.adding, (current) => current);
  // Closing the dialog discards a model that was not accepted, and ends its worker.
  useEffect(() => ownModels.discard, [ownModels]);
  return (
    <div className={styles['add']} data-testid="add-model" data-state={status.kind}>
      <h4>{text.title}</h4>
      {ownModels.isOffered ? <ModelDrop /> : <p className={about['note']}>{text.unavailable}</p>}
      <Notice variant="line" role="status">
        {status.kind === 'reading' ? text.reading : status.kind === 'added' && text.added(status.name)}
      </Notice>
      <Notice variant="line" isWarning role="alert">
        {status.kind === 'refused' && text.refused(status.name, text.refusals[status.refusal])}
      </Notice>
      {status.kind === 'opened' && <ModelCandidate {...status} />}
    </div>
  );
};
