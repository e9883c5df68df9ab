import { useState, useSyncExternalStore, type ReactElement } from 'react';
import { downloadName } from './answer-body';
import { AnswerView, ResponseTable, useSending, type TryIt } from './answer-view';
import { buildRequest, curlCommand, missingIn, type FormValues } from './build-request';
import { CodeBlock, DescriptionText, Method } from './code-block';
import type { Operation } from './openapi-document';
import { OperationForm } from './operation-form';
import styles from './operation.module.css';

const subscribe = (notify: () => void): (() => void) => {
  addEventListener('hashchange', notify);
  return () => removeEventListener('hashchange', notify);
};

/** Whether the page's URL ends in `#id`. */
const useIsAddressed = (id: string): boolean =>
  useSyncExternalStore(subscribe, () => location.hash === `#${id}`);

/** Placeholder in the command until a file is selected. */
const SAMPLE_FILE = { name: 'street.jpg', type: 'image/jpeg' };

/** File to which a command saves a response that a terminal cannot show. */
const savedAs = ({ id, responses }: Operation): string | undefined => {
  const mediaType = responses[0]?.mediaTypes.find((type) => !type.startsWith('application/json'));
  return mediaType && downloadName({ headers: { 'content-type': mediaType } }, id);
};

interface OperationProps {
  readonly operation: Operation;
  readonly tryIt: TryIt;
}

const Form = ({ operation, tryIt }: OperationProps): ReactElement => {
  const { taskId, token, base } = tryIt;
  const [filled, setFilled] = useState<FormValues>({});
  const [files, setFiles] = useState<readonly File[]>([]);
  const { state, send, cancel } = useSending(tryIt);
  const hasId = operation.parameters.some(({ name }) => name === 'id');
  const values = hasId ? { id: taskId, ...filled } : filled;
  const request = buildRequest(operation, values, { files, token });
  const part = operation.filePart;
  // The command is visible and can be copied anywhere, so it must not contain the token.
  const shown = token.trim() === '' ? request : buildRequest(operation, values, { token: '<token>' });
  const command = curlCommand(shown, base, {
    upload: part && { part: part.name, files: files.length > 0 ? files : [SAMPLE_FILE] },
    saveAs: savedAs(operation),
  });
  return (
    <>
      <OperationForm
        operation={operation}
        values={values}
        setValue={(name, value) => setFilled((all) => ({ ...all, [name]: value }))}
        setFiles={setFiles}
        missing={missingIn(operation, values, files)}
        isSending={state.kind === 'sending'}
        onSend={() => send(request)}
        onCancel={cancel}
      />
      <AnswerView state={state} operationId={operation.id} />
      <CodeBlock title="curl command" text={command} />
      <ResponseTable responses={operation.responses} />
    </>
  );
};

/** One operation: its title and, when opened, its form, response, command and documentation. */
export const OperationCard = ({ operation, tryIt }: OperationProps): ReactElement => {
  const { id, method, path, summary, description } = operation;
  const isAddressed = useIsAddressed(id);
  const [isOpen, setOpen] = useState(isAddressed);
  const [wasAddressed, setWasAddressed] = useState(isAddressed);
  if (isAddressed !== wasAddressed) {
    setWasAddressed(isAddressed);
    if (isAddressed) setOpen(true);
  }
  return (
    <details
      id={id}
      className={styles['card']}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      data-testid={`operation-${id}`}
    >
      <summary>
        <Method name={method} />
        <code>{path}</code>
        <span>{summary}</span>
      </summary>
      {isOpen && (
        <div className={styles['body']}>
          <p>
            <DescriptionText text={description} />
          </p>
          <Form operation={operation} tryIt={tryIt} />
        </div>
      )}
    </details>
  );
};
