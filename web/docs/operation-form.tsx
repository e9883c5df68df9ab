import type { ReactElement, ReactNode } from 'react';
import { format } from '../app/messages/en-format';
import { Button } from '../app/ui/button';
import { JSON_BODY, type FormValues } from './build-request';
import { DescriptionText } from './code-block';
import {
  type FilePart,
  type Operation,
  type Parameter,
  type Schema,
  rangeOf,
  typeOf,
} from './openapi-document';
import styles from './operation.module.css';

interface RowProps {
  readonly id: string;
  readonly name: string;
  readonly facts: readonly string[];
  readonly description: string;
  readonly children: ReactNode;
}

/** A form field: name and type on the left, input on the right. */
const Row = ({ id, name, facts, description, children }: RowProps): ReactElement => (
  <div className={styles['row']}>
    <div>
      <label htmlFor={id}>
        <code>{name}</code>
      </label>{' '}
      <small>{facts.filter((fact) => fact !== '').join(' · ')}</small>
      <p id={`${id}-about`}>
        <DescriptionText text={description} />
      </p>
    </div>
    {children}
  </div>
);

const CHOICES_OF_FLAG = ['true', 'false'];
const choicesOf = ({ type, enum: choices }: Schema): readonly string[] | undefined =>
  choices ?? (type === 'boolean' ? CHOICES_OF_FLAG : undefined);

const unfilled = ({ default: fallback }: Schema): string =>
  fallback === undefined ? 'not set' : `default: ${String(fallback)}`;

interface FieldProps {
  readonly id: string;
  readonly value: string;
  readonly setValue: (value: string) => void;
}
type ParameterProps = FieldProps & { readonly parameter: Parameter };

/** An empty value is not sent. */
const Control = ({ id, parameter: { schema, required }, value, setValue }: ParameterProps): ReactElement => {
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

const ParameterField = (props: ParameterProps): ReactElement => {
  const { id, parameter } = props;
  const { name, schema, required, deprecated, description } = parameter;
  const facts = [
    parameter.in,
    choicesOf(schema) ? (schema.type ?? '') : typeOf(schema),
    rangeOf(schema),
    required ? 'required' : '',
    deprecated ? 'deprecated' : '',
  ];
  const about = [
    description ?? 'Task id from the response to the upload.',
    ...(schema.title ? [`Takes ${schema.title}.`] : []),
  ];
  return (
    <Row id={id} name={name} facts={facts} description={about.join(' ')}>
      <Control {...props} />
    </Row>
  );
};

type FileFieldProps = FilePart & {
  readonly id: string;
  readonly setFiles: (files: readonly File[]) => void;
};

/** A field for one file, or for several that are sent in parts of the same name. */
const FileField = ({ id, name, maxFiles, setFiles }: FileFieldProps): ReactElement => {
  const isOne = maxFiles === 1;
  const facts = ['body', isOne ? 'file' : `1 to ${format.number(maxFiles)} files`, 'required'];
  const about = isOne
    ? 'The file to process.'
    : 'Photos that show only this person. Each is sent in a part of this name.';
  return (
    <Row id={id} name={name} facts={facts} description={about}>
      <input
        id={id}
        type="file"
        multiple={!isOne}
        aria-describedby={`${id}-about`}
        onChange={({ currentTarget }) => setFiles([...(currentTarget.files ?? [])])}
      />
    </Row>
  );
};

/** Text of a JSON body. The service checks it, so that its sentences can be seen. */
const JsonField = ({ id, value, setValue }: FieldProps): ReactElement => (
  <Row
    id={id}
    name={JSON_BODY}
    facts={['body', 'object', 'required']}
    description="The edits. An empty object takes all edits back."
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

interface OperationFormProps extends Pick<FileFieldProps, 'setFiles'> {
  readonly operation: Operation;
  readonly values: FormValues;
  readonly setValue: (name: string, value: string) => void;
  /** Required fields that are still empty. */
  readonly missing: readonly string[];
  readonly isSending: boolean;
  readonly onSend: () => void;
  readonly onCancel: () => void;
}

/** Form fields of an operation's parameters, each with its description. */
export const OperationForm = (props: OperationFormProps): ReactElement => {
  const { operation, values, setValue, setFiles, missing, isSending, onSend, onCancel } = props;
  const { id, parameters, filePart, takesJson } = operation;
  const field = (name: string) => ({
    value: values[name] ?? '',
    setValue: (value: string) => setValue(name, value),
  });
  return (
    <form
      className={styles['form']}
      noValidate // the service validates the values, so that its error responses can be seen
      onSubmit={(event) => {
        event.preventDefault();
        if (missing.length === 0 && !isSending) onSend();
      }}
    >
      <h3>Parameters</h3>
      {filePart === undefined && parameters.length === 0 && <p>No parameters.</p>}
      {filePart && <FileField {...filePart} id={`${id}-file`} setFiles={setFiles} />}
      {takesJson && <JsonField id={`${id}-json`} {...field(JSON_BODY)} />}
      {parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          id={`${id}-${parameter.name}`}
          parameter={parameter}
          {...field(parameter.name)}
        />
      ))}
      <div className={styles['actions']}>
        <Button type="submit" variant="primary" disabled={missing.length > 0 || isSending}>
          Send
        </Button>
        {isSending && <Button onClick={onCancel}>Cancel</Button>}
        <span role="status">
          {isSending
            ? 'Waiting for the response …'
            : missing.length > 0 && `Missing: ${format.list(missing)}.`}
        </span>
      </div>
    </form>
  );
};
