import type { ReactElement } from 'react';
import { fieldsOf } from './describe-schema';
import { DescriptionText } from './inline-text';
import { messages } from './messages';
import type { ResponseInfo, Schema } from './openapi-document';
import styles from './response-table.module.css';

const Fields = ({ schema }: { readonly schema: Schema }): ReactElement => (
  <details className={styles['fields']}>
    <summary>{messages.response.fields}</summary>
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

/** Error codes with their descriptions. */
const meaning = (description: string): string => description.replaceAll('_', ' ');

const Row = ({ status, description, mediaTypes, schema }: ResponseInfo): ReactElement => {
  const isSuccess = status.startsWith('2');
  return (
    <tr>
      <th scope="row">{status}</th>
      <td>
        {isSuccess ? description : meaning(description)}
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
    <h3>{messages.responses}</h3>
    <table className={styles['table']}>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{messages.response.status}</th>
          <th scope="col">{messages.response.meaning}</th>
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
