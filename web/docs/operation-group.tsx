import type { ReactElement } from 'react';
import styles from './operation.module.css';
import { OperationCard } from './operation-card';
import type { Operation } from './openapi-document';

/** All operations of one tag. */
export const OperationGroup = ({
  name,
  description,
  operations,
}: {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}): ReactElement => (
  <section className={styles['group']} aria-labelledby={`tag-${name}`}>
    <header>
      <h2 id={`tag-${name}`}>{name}</h2>
      <p>{description}</p>
    </header>
    {operations.map((operation) => (
      <OperationCard key={operation.id} operation={operation} />
    ))}
  </section>
);
