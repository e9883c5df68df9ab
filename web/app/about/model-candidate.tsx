import type { ReactElement } from 'react';
import { choiceOf, isNamed, type AddingStatus } from '../../state/own-models';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Select } from '../ui/inputs';
import { ModelTrialPart } from './model-trial-part';
import type { Labels } from '#shared/domain/manifest';
import type { ObjectClass } from '#shared/catalogue/classes';
import type { InspectedModel, ModelChoice, ModelReading } from '../../workers/model-trial';
import about from './about.module.css';

interface ModelClassesProps {
  readonly model: InspectedModel;
  readonly choice: ModelChoice;
}

/** Maximum number of classes to assign by hand. */
const MAX_ROWS = 32;
/** Option for all classes of COCO at once. */
const COCO = 'coco';

/** Object class to which a class of the network is assigned. */
const ClassSelect = ({
  name,
  value,
  hasCoco = false,
  onChoose,
}: {
  readonly name: string;
  readonly value: string;
  readonly hasCoco?: boolean;
  readonly onChoose: (value: string) => void;
}): ReactElement => {
  const messages = useMessages();
  const { classes } = useServices();
  return (
    <Select
      label={name}
      value={value}
      options={[
        ['', messages.ownModels.nothing],
        ...classes.map((objectClass) => [objectClass, messages.classes[objectClass]] as const),
        ...(hasCoco ? [[COCO, messages.ownModels.coco] as const] : []),
      ]}
      onChoose={onChoose}
    />
  );
};

const withLabel = (labels: Labels, number: number, value: string): Labels => {
  const { [number]: _before, ...others } = labels;
  return value === '' ? others : { ...others, [number]: value as ObjectClass };
};

/** One row per class of the network. */
const ChosenClasses = ({
  model: { classNames },
  choice,
  read: { reading, cocoLabels },
}: ModelClassesProps & { readonly read: ModelReading }): ReactElement => {
  const messages = useMessages();
  const text = messages.ownModels;
  const { ownModels } = useServices();
  const rows = Math.min(reading.classCount ?? 1, MAX_ROWS);
  const choose = (number: number, value: string): void =>
    ownModels.choose({
      ...choice,
      labels: value === COCO && cocoLabels ? cocoLabels : withLabel(choice.labels, number, value),
    });
  const isCoco = choice.labels === cocoLabels;
  return (
    <>
      <p className="soft">{text.classesUnknown}</p>
      {Array.from({ length: rows }, (_, number) => {
        const name = text.label(number, classNames.get(number));
        return (
          <label key={number} className={`row ${about['row']}`}>
            {rows > 1 && <span>{name}</span>}
            <ClassSelect
              name={rows > 1 ? name : text.classes}
              value={isCoco ? COCO : (choice.labels[number] ?? '')}
              hasCoco={cocoLabels !== undefined}
              onChoose={(value) => choose(number, value)}
            />
          </label>
        );
      })}
    </>
  );
};

/** Object classes of a model, from its description or file, or selected by the user. */
const ModelClasses = ({ model, choice }: ModelClassesProps): ReactElement => {
  const messages = useMessages();
  const { pack, readings, classNames } = model;
  const read = readings[choice.reading];
  const named = (classes: Iterable<ObjectClass>): string =>
    [...new Set(classes)].map((name) => messages.classes[name]).join(', ');
  if (pack) return <>{named(pack.models.flatMap(({ classes }) => classes))}</>;
  if (!read) return <></>;
  if (read.reading.classes) return <>{named(read.reading.classes)}</>;
  const labels = Object.entries(read.labels);
  if (labels.length === 0) return <ChosenClasses model={model} choice={choice} read={read} />;
  if (classNames.size === 0) return <>{named(labels.flatMap(([, name]) => name ?? []))}</>;
  return (
    <ul>
      {labels.map(([number, objectClass]) => (
        <li key={number}>
          {messages.ownModels.means(
            classNames.get(Number(number)) ?? number,
            messages.classes[objectClass as ObjectClass],
          )}
        </li>
      ))}
    </ul>
  );
};

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
  const { ownModels: text, models } = useMessages();
  const { model, choice, trial } = opened;
  return (
    <div className={about['candidate']} data-testid="model-candidate">
      <dl className={about['facts']}>
        {model.files.map(({ name, bytes, sha256 }) => (
          <div key={sha256}>
            <dt>{text.file}</dt>
            <dd>
              {name} <span className={about['size']}>{models.megabytes(bytes)}</span>
            </dd>
            <dt>{text.hash}</dt>
            <dd className={about['hash']} data-testid="model-hash">
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
      {model.pack?.isUntested && <p>{text.untested}</p>}
      <ModelTrialPart trial={trial} isNamed={isNamed(model, choice)} />
    </div>
  );
};
