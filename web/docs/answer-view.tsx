import { useEffect, useRef, useState, type ReactElement } from 'react';
import type { ClientRequest, SendRequest } from '#shared/api/client';
import { bytesOf } from '#shared/api/http/http';
import { format } from '../app/messages/en-format';
import { useObjectUrl } from '../app/stage/use-files';
import controls from '../app/ui/controls.module.css';
import { Icon } from '../app/ui/icons';
import { answerBody, downloadName, taskIdIn, type Answer, type AnswerBody } from './answer-body';
import { CodeBlock, DescriptionText } from './code-block';
import { fieldsOf, type ResponseInfo, type Schema } from './openapi-document';
import styles from './operation.module.css';

/** What the forms of all operations work with. */
export interface TryIt {
  readonly send: SendRequest<File>;
  /** Bearer token of requests; empty for none. */
  readonly token: string;
  /** URL in commands and examples, without a trailing slash. */
  readonly base: string;
  /** Task id of the last upload, which other operations suggest. */
  readonly taskId: string;
  readonly keepTaskId: (id: string) => void;
}

/** State of a form's request. */
type Sending =
  | { readonly kind: 'idle' | 'sending' | 'failed' }
  | {
      readonly kind: 'answered';
      readonly answer: Answer;
      readonly body: AnswerBody;
      readonly elapsedMs: number;
    };

/** Sends a form's requests, one at a time. The request is cancelled when the form is removed. */
export const useSending = ({ send, keepTaskId }: TryIt) => {
  const [state, setState] = useState<Sending>({ kind: 'idle' });
  const current = useRef<AbortController>(undefined);
  const cancel = (): void => {
    current.current?.abort();
    setState({ kind: 'idle' });
  };
  useEffect(() => () => current.current?.abort(), []);

  const sendRequest = async (request: ClientRequest<File>): Promise<void> => {
    const abort = new AbortController();
    current.current = abort;
    setState({ kind: 'sending' });
    const startedMs = performance.now();
    try {
      const response = await send({ ...request, signal: abort.signal });
      const answer = { ...response, body: await bytesOf(response.body) };
      if (abort.signal.aborted) return;
      const body = answerBody(answer);
      setState({ kind: 'answered', answer, body, elapsedMs: performance.now() - startedMs });
      const taskId = request.files ? taskIdIn(body) : undefined;
      if (taskId !== undefined) keepTaskId(taskId);
    } catch (cause) {
      if (abort.signal.aborted) return;
      console.error('No answer came', cause);
      setState({ kind: 'failed' });
    }
  };
  return { state, cancel, send: (request: ClientRequest<File>) => void sendRequest(request) };
};

type FileBodyProps = Extract<AnswerBody, { readonly blob: Blob }> & { readonly name: string };

/** An image or another file, saved from memory, because links to the API are not answered by a tab. */
const FileBody = ({ kind, blob, name }: FileBodyProps): ReactElement => {
  const url = useObjectUrl(blob);
  return (
    <>
      {kind === 'image' && url !== null && (
        <img className={styles['picture']} src={url} alt="The image in the response" data-testid="picture" />
      )}
      {kind === 'file' && <p>The response is a file.</p>}
      {url !== null && (
        <a
          className={`${controls['button']} ${controls['secondary']} ${styles['download']}`}
          href={url}
          download={name}
        >
          <Icon name="download" />
          Download
        </a>
      )}
    </>
  );
};

const Body = ({ body, name }: { readonly body: AnswerBody; readonly name: string }): ReactElement => {
  switch (body.kind) {
    case 'none':
      return <p>The response has no body.</p>;
    case 'json':
    case 'text':
      return <CodeBlock title="Body" text={body.text} />;
    case 'image':
    case 'file':
      return <FileBody {...body} name={name} />;
  }
};

const elapsed = (ms: number): string => (ms < 1000 ? format.milliseconds(ms) : format.seconds(ms / 1000, 1));

interface AnswerProps {
  readonly state: Sending;
  readonly operationId: string;
}

/** The response: status, time, size, headers and body. */
export const AnswerView = ({ state, operationId }: AnswerProps): ReactElement => {
  if (state.kind === 'failed') {
    return (
      <p className={styles['failed']} role="alert">
        No response: the connection failed.
      </p>
    );
  }
  if (state.kind !== 'answered') return <></>;
  const { answer, body, elapsedMs } = state;
  return (
    <section className={styles['answer']} aria-label="Response" data-testid="answer">
      <p className={styles['facts']} role="status">
        <strong className={answer.status < 400 ? styles['good'] : styles['bad']} data-testid="status">
          {answer.status}
        </strong>
        <span>{answer.headers['content-type']}</span>
        <span>{format.bytes(answer.body.length)}</span>
        <span>{elapsed(elapsedMs)}</span>
      </p>
      <details className={styles['headers']}>
        <summary>Headers</summary>
        <dl>
          {Object.entries(answer.headers).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      <Body body={body} name={downloadName(answer, operationId)} />
    </section>
  );
};

const Fields = ({ schema }: { readonly schema: Schema }): ReactElement => (
  <details className={styles['fields']}>
    <summary>Body fields</summary>
    <dl>
      {fieldsOf(schema).map(({ path, type, description }) => (
        <div key={path}>
          <dt>
            <code>{path}</code> <small>{type}</small>
          </dt>
          {description !== '' && (
            <dd>
              <DescriptionText text={description} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  </details>
);

/** Of a refusal, the description lists error codes. */
const Row = ({ status, description, mediaTypes, schema }: ResponseInfo): ReactElement => {
  const isSuccess = status.startsWith('2');
  return (
    <tr>
      <th scope="row">{status}</th>
      <td>
        {isSuccess ? description : description.replaceAll('_', ' ')}
        <small>{mediaTypes.join(', ')}</small>
        {isSuccess && schema && fieldsOf(schema).length > 0 && <Fields schema={schema} />}
      </td>
    </tr>
  );
};

/** All responses of an operation. */
export const ResponseTable = ({
  responses,
}: {
  readonly responses: readonly ResponseInfo[];
}): ReactElement => (
  <section>
    <h3>Responses</h3>
    <table className={styles['table']}>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {responses.map((response) => (
          <Row key={response.status} {...response} />
        ))}
      </tbody>
    </table>
  </section>
);
