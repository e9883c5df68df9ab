import { useEffect, useMemo, useState, type ReactElement } from 'react';
import type { SendRequest } from '#shared/api/client';
import { WRITTEN_BASE } from './example-text';
import { Examples } from './examples';
import { messages } from './messages';
import { Navigation } from './navigation';
import type { OpenApiDocument, Operation } from './openapi-document';
import { OperationGroup } from './operation-group';
import styles from './page.module.css';
import { RunTarget } from './run-target';
import { TryItProvider, type Target, type TryIt } from './services';
import { Top } from './top';

/** @returns undefined until it is known */
const useServer = (findServer: () => Promise<boolean>): boolean | undefined => {
  const [found, setFound] = useState<boolean>();
  useEffect(() => void findServer().then(setFound), [findServer]);
  return found;
};

interface PageProps {
  readonly description: OpenApiDocument;
  readonly operations: readonly Operation[];
  readonly send: Readonly<Record<Target, SendRequest<File>>>;
  /** Checks whether a server answers at the page's address. */
  readonly findServer: () => Promise<boolean>;
}

/** The API reference: all operations with forms, then client examples. */
export const Page = ({ description, operations, send, findServer }: PageProps): ReactElement => {
  const hasServer = useServer(findServer);
  // The tab is the default, so that no image leaves by accident.
  const [target, setTarget] = useState<Target>('tab');
  const [token, setToken] = useState('');
  const [taskId, keepTaskId] = useState('');
  const base = hasServer ? location.origin : WRITTEN_BASE;
  const isServer = target === 'server';
  const services = useMemo<TryIt>(
    () => ({ send: send[target], token: isServer ? token : '', base, taskId, keepTaskId }),
    [send, target, isServer, token, base, taskId],
  );
  const choose = (chosen: Target): void => {
    setTarget(chosen);
    keepTaskId(''); // the server does not know the tasks of the tab, and vice versa
  };
  return (
    <TryItProvider value={services}>
      <Top />
      <div className={styles['columns']}>
        <Navigation tags={description.tags} operations={operations} />
        <main id="reference" className={styles['main']} tabIndex={-1}>
          <h1>{messages.title}</h1>
          <p className={styles['lead']}>{description.info.description}</p>
          <RunTarget {...{ target, choose, hasServer, base, token, setToken }} />
          {description.tags.map((tag) => (
            <OperationGroup
              key={`${tag.name} ${target}`}
              {...tag}
              operations={operations.filter((operation) => operation.tag === tag.name)}
            />
          ))}
          <Examples />
        </main>
      </div>
    </TryItProvider>
  );
};
