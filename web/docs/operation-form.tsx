import type { ReactElement } from 'react';
import { Button } from '../app/ui/button';
import { JSON_BODY, type FormValues } from './build-request';
import { messages } from './messages';
import type { Operation } from './openapi-document';
import styles from './operation-form.module.css';
import { FileField, JsonField, ParameterField } from './parameter-field';
import type { ClientRequest } from '#shared/api/client';

/** Quotes for a POSIX shell: inside single quotes only a single quote is special. */
export const shellQuoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** curl interprets `;` and `,` in a form value unless the name is quoted. */
const formFile = (part: string, { name, type }: Pick<File, 'name' | 'type'>): string => {
  const quotedName = name.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return `${part}=@"${quotedName}"${type === '' ? '' : `;type=${type}`}`;
};

/** The file parts of a request, which have one name. */
interface CurlFiles {
  readonly part: string;
  readonly files: readonly Pick<File, 'name' | 'type'>[];
}

/**
 * Returns the curl command for the same request.
 *
 * @param base URL of the service, without a trailing slash
 * @param options `saveAs`: file name for responses that a terminal cannot show
 */
export const curlCommand = (
  { method, url, headers, body }: Pick<ClientRequest<File>, 'method' | 'url' | 'headers' | 'body'>,
  base: string,
  { upload, saveAs }: { readonly upload?: CurlFiles | undefined; readonly saveAs?: string | undefined } = {},
): string => {
  const isImplied = method === (upload ? 'POST' : 'GET');
  const parts = [
    ...(isImplied ? [] : [`-X ${method}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body ? [`-d ${shellQuoted(new TextDecoder().decode(body))}`] : []),
    ...(upload ? upload.files.map((file) => `-F ${shellQuoted(formFile(upload.part, file))}`) : []),
    ...(saveAs === undefined ? [] : [`-o ${shellQuoted(saveAs)}`]),
    shellQuoted(base + url),
  ];
  return parts.length > 2 ? `curl ${parts.join(' \\\n  ')}` : `curl ${parts.join(' ')}`;
};

interface OperationFormProps {
  readonly operation: Operation;
  readonly values: FormValues;
  readonly setValue: (name: string, value: string) => void;
  readonly setFiles: (files: readonly File[]) => void;
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
  return (
    <form
      className={styles['form']}
      noValidate // the service validates the values, so that its error responses can be seen
      onSubmit={(event) => {
        event.preventDefault();
        if (missing.length === 0 && !isSending) onSend();
      }}
    >
      <h3>{messages.form.parameters}</h3>
      {filePart === undefined && parameters.length === 0 && <p>{messages.form.none}</p>}
      {filePart && <FileField {...filePart} id={`${id}-file`} setFiles={setFiles} />}
      {takesJson && (
        <JsonField
          id={`${id}-json`}
          value={values[JSON_BODY] ?? ''}
          setValue={(value) => setValue(JSON_BODY, value)}
        />
      )}
      {parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          id={`${id}-${parameter.name}`}
          parameter={parameter}
          value={values[parameter.name] ?? ''}
          setValue={(value) => setValue(parameter.name, value)}
        />
      ))}
      <div className={styles['actions']}>
        <Button type="submit" variant="primary" disabled={missing.length > 0 || isSending}>
          {messages.form.send}
        </Button>
        {isSending && <Button onClick={onCancel}>{messages.form.cancel}</Button>}
        <span role="status">
          {isSending ? messages.form.sending : missing.length > 0 && messages.form.missing(missing)}
        </span>
      </div>
    </form>
  );
};
