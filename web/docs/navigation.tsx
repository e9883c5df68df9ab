import type { ReactElement } from 'react';
import { messages } from './messages';
import { Method } from './method';
import styles from './navigation.module.css';
import type { OpenApiDocument, Operation } from './openapi-document';

/** Target of the link to an operation. */
const anchor = (id: string): string => `#${id}`;

export const Navigation = ({
  tags,
  operations,
}: Pick<OpenApiDocument, 'tags'> & { readonly operations: readonly Operation[] }): ReactElement => (
  <nav className={styles['navigation']} aria-label={messages.contents}>
    {tags.map(({ name }) => (
      <div key={name}>
        <h2>{name}</h2>
        <ul>
          {operations
            .filter(({ tag }) => tag === name)
            .map(({ id, method, summary }) => (
              <li key={id}>
                <a href={anchor(id)}>
                  <Method name={method} size="small" />
                  <span>{summary}</span>
                </a>
              </li>
            ))}
        </ul>
      </div>
    ))}
    <a href="#examples">{messages.examples.title}</a>
  </nav>
);
