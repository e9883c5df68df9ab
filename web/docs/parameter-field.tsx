import type { ReactElement, ReactNode } from 'react';
import { rangeOf, typeOf } from './describe-schema';
import { DescriptionText } from './inline-text';
import { JSON_BODY } from './build-request';
import { messages } from './messages';
import type { FilePart, Parameter, Schema } from './openapi-document';
import styles from './operation-form.module.css';

/** A form field: name and type on the left, input on the right. */
const Row = (props: {
  readonly id: string;
  readonly name: string;
  readonly facts: readonly string[];
  readonly description: string;
  readonly children: ReactNode;
}): ReactElement => (
  <div className={styles['row']}>
    <div>
      <label htmlFor={props.id}>
        <code>{props.name}</code>
      </label>{' '}
      <small>{props.facts.filter((fact) => fact !== '').join(' · ')}</small>
      <p id={`${props.id}-about`}>
        <DescriptionText text={props.description} />
      </p>
    </div>
    {props.children}
  </div>
);

const CHOICES_OF_FLAG = ['true', 'false'];
const choicesOf = ({ type, enum: choices }: Schema): readonly string[] | undefined =>
  choices ?? (type === 'boolean' ? CHOICES_OF_FLAG : undefined);

const unfilled = ({ default: fallback }: Schema): string =>
  fallback === undefined ? messages.form.notGiven : messages.form.fallback(String(fallback));

interface ControlProps {
  readonly id: string;
  readonly parameter: Parameter;
  readonly value: string;
  readonly setValue: (value: string) => void;
}

/** An empty value is not sent. */
const Control = ({ id, parameter: { schema, required }, value, setValue }: ControlProps): ReactElement => {
  const choices = choicesOf(schema);
  const common = { id, value, required, 'aria-describedby': `${id}-about` };
  if (choices) {
    return (
      <select {...common} onChange={({ currentTarget }) => setValue(currentTarget.value)}>
        <option value="">{unfilled(schema)}</option>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  }
  const isNumber = schema.type === 'number' || schema.type === 'integer';
  return (
    <input
      {...common}
      type="text"
      inputMode={isNumber ? 'decimal' : undefined}
      autoComplete="off"
      spellCheck={false}
      placeholder={required ? undefined : unfilled(schema)}
      onChange={({ currentTarget }) => setValue(currentTarget.value)}
    />
  );
};

export const ParameterField = (props: ControlProps): ReactElement => {
  const { id, parameter } = props;
  const { name, schema, required, deprecated, description } = parameter;
  const facts = [
    parameter.in,
    choicesOf(schema) ? (schema.type ?? '') : typeOf(schema),
    rangeOf(schema),
    required ? messages.form.required : '',
    deprecated ? messages.form.deprecated : '',
  ];
  const about = [description ?? messages.form.taskId, ...(schema.title ? [`Takes ${schema.title}.`] : [])];
  return (
    <Row id={id} name={name} facts={facts} description={about.join(' ')}>
      <Control {...props} />
    </Row>
  );
};

/** A field for one file, or for several that are sent in parts of the same name. */
export const FileField = ({
  id,
  name,
  maxFiles,
  setFiles,
}: FilePart & {
  readonly id: string;
  readonly setFiles: (files: readonly File[]) => void;
}): ReactElement => {
  const { form } = messages;
  const facts = ['body', maxFiles > 1 ? form.files(maxFiles) : 'file', form.required];
  return (
    <Row id={id} name={name} facts={facts} description={maxFiles > 1 ? form.photos : form.file}>
      <input
        id={id}
        type="file"
        multiple={maxFiles > 1}
        aria-describedby={`${id}-about`}
        onChange={({ currentTarget }) => setFiles([...(currentTarget.files ?? [])])}
      />
    </Row>
  );
};

/** Text of a JSON body. The service checks it, so that its sentences can be seen. */
export const JsonField = ({
  id,
  value,
  setValue,
}: {
  readonly id: string;
  readonly value: string;
  readonly setValue: (value: string) => void;
}): ReactElement => (
  <Row
    id={id}
    name={JSON_BODY}
    facts={['body', 'object', messages.form.required]}
    description={messages.form.json}
  >
    <textarea
      id={id}
      value={value}
      spellCheck={false}
      aria-describedby={`${id}-about`}
      placeholder="{}"
      onChange={({ currentTarget }) => setValue(currentTarget.value)}
    />
  </Row>
);
