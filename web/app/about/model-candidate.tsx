import type { ReactElement } from 'react';
import { choiceOf, isNamed, type AddingStatus } from '../../state/own-models';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Select } from '../ui/select';
import styles from './add-model.module.css';
import { ModelClasses } from './model-classes';
import { ModelTrialPart } from './model-trial-part';

type Opened = Extract<AddingStatus, { kind: 'opened' }>;

/** Output format of the model: recognised, or selected if its shapes are ambiguous. */
const Head = ({ model, choice }: Opened): ReactElement => {
  const text = useMessages().ownModels;
  const { ownModels } = useServices();
  const { pack, readings } = model;
  if (pack) return <>{pack.models.map(({ head }) => text.heads[head]).join(', ')}</>;
  const [only, ...others] = readings;
  if (only && others.length === 0) return <>{text.heads[only.reading.head]}</>;
  return (
    <Select
      label={text.head}
      value={String(choice.reading)}
      options={readings.map(({ reading }, i) => [String(i), text.heads[reading.head]])}
      onChoose={(reading) => ownModels.choose(choiceOf(model, Number(reading)))}
    />
  );
};

/** A model that was read: its details, its classes, and whether to use it. */
export const ModelCandidate = (opened: Opened): ReactElement => {
  const text = useMessages().ownModels;
  const { model, choice, trial } = opened;
  return (
    <div className={styles['candidate']} data-testid="model-candidate">
      <dl className={styles['facts']}>
        {model.files.map(({ name, bytes, sha256 }) => (
          <div key={sha256}>
            <dt>{text.file}</dt>
            <dd>
              {name} <ModelSize bytes={bytes} />
            </dd>
            <dt>{text.hash}</dt>
            <dd className={styles['hash']} data-testid="model-hash">
              {sha256}
            </dd>
          </div>
        ))}
        <div>
          <dt>{text.head}</dt>
          <dd data-testid="model-head">
            <Head {...opened} />
          </dd>
          <dt>{text.classes}</dt>
          <dd data-testid="model-classes">
            <ModelClasses model={model} choice={choice} />
          </dd>
        </div>
      </dl>
      {model.pack?.description && <p>{text.described(model.pack.description)}</p>}
      <ModelTrialPart trial={trial} isNamed={isNamed(model, choice)} />
    </div>
  );
};

const ModelSize = ({ bytes }: { readonly bytes: number }): ReactElement => (
  <span className={styles['size']}>{useMessages().models.megabytes(bytes)}</span>
);
