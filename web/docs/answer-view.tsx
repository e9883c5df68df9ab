import type { ReactElement } from 'react';
import { useObjectUrl } from '../app/stage/use-files';
import { Icon } from '../app/ui/icons';
import { downloadName, type AnswerBody } from './answer-body';
import styles from './answer-view.module.css';
import { CodeBlock } from './code-block';
import { messages } from './messages';
import type { Sending } from './use-sending';
import controls from '../app/ui/controls.module.css';

/** An image or another file, saved from memory, because links to the API are not answered by a tab. */
const FileBody = ({
  kind,
  blob,
  name,
}: Extract<AnswerBody, { readonly blob: Blob }> & { readonly name: string }): ReactElement => {
  const url = useObjectUrl(blob);
  return (
    <>
      {kind === 'image' && url !== null && (
        <img className={styles['picture']} src={url} alt={messages.answer.picture} data-testid="picture" />
      )}
      {kind === 'file' && <p>{messages.answer.file}</p>}
      {url !== null && (
        <a
          className={`${controls['button']} ${controls['secondary']} ${styles['download']}`}
          href={url}
          download={name}
        >
          <Icon name="download" />
          {messages.answer.download}
        </a>
      )}
    </>
  );
};

const Body = ({ body, name }: { readonly body: AnswerBody; readonly name: string }): ReactElement => {
  switch (body.kind) {
    case 'none':
      return <p>{messages.answer.empty}</p>;
    case 'json':
    case 'text':
      return <CodeBlock title={messages.response.body} text={body.text} />;
    case 'image':
    case 'file':
      return <FileBody {...body} name={name} />;
  }
};

const Headers = ({ headers }: { readonly headers: Readonly<Record<string, string>> }): ReactElement => (
  <details className={styles['headers']}>
    <summary>{messages.answer.headers}</summary>
    <dl>
      {Object.entries(headers).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  </details>
);

/** The response: status, time, size, headers and body. */
export const AnswerView = ({
  state,
  operationId,
}: {
  readonly state: Sending;
  readonly operationId: string;
}): ReactElement => {
  if (state.kind === 'failed') {
    return (
      <p className={styles['failed']} role="alert">
        {state.message}
      </p>
    );
  }
  if (state.kind !== 'answered') return <></>;
  const { answer, body, elapsedMs } = state;
  const isSuccess = answer.status < 400;
  return (
    <section className={styles['answer']} aria-label={messages.answer.title} data-testid="answer">
      <p className={styles['facts']} role="status">
        <strong className={isSuccess ? styles['good'] : styles['bad']} data-testid="status">
          {answer.status}
        </strong>
        <span>{answer.headers['content-type']}</span>
        <span>{messages.answer.size(answer.body.length)}</span>
        <span>{messages.answer.elapsed(elapsedMs)}</span>
      </p>
      <Headers headers={answer.headers} />
      <Body body={body} name={downloadName(answer, operationId)} />
    </section>
  );
};
