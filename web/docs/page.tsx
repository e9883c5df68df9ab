import { useEffect, useState, type ReactElement } from 'react';
import type { SendRequest } from '#shared/api/client';
import sections from '../../shared/api/clients.md?sections';
import { ThemeButton } from '../app/shell/theme-button';
import { Logo } from '../app/ui/icons';
import { Segments } from '../app/ui/inputs';
import { CodeBlock, InlineText, Method } from './code-block';
import type { OpenApiDocument, Operation } from './openapi-document';
import { OperationCard } from './operation-card';
import groups from './operation.module.css';
import styles from './page.module.css';
import { withServiceUrl, LANGUAGES, WRITTEN_BASE, type Block, type Language } from './sections';

/** Where requests run: in the engine of this tab, or on the server that the page was loaded from. */
type Target = 'tab' | 'server';

const Top = (): ReactElement => (
  <header className={styles['top']}>
    <a className={styles['skip']} href="#reference">
      Skip to the reference
    </a>
    <a className={styles['brand']} href="./" title="Back to the page">
      <Logo />
      Veil
    </a>
    <span className={styles['title']}>API reference</span>
    <ThemeButton />
  </header>
);

interface OperationsProps extends Pick<OpenApiDocument, 'tags'> {
  readonly operations: readonly Operation[];
}

const Navigation = ({ tags, operations }: OperationsProps): ReactElement => (
  <nav className={styles['navigation']} aria-label="Contents">
    {tags.map(({ name }) => (
      <div key={name}>
        <h2>{name}</h2>
        <ul>
          {operations
            .filter(({ tag }) => tag === name)
            .map(({ id, method, summary }) => (
              <li key={id}>
                <a href={`#${id}`}>
                  <Method name={method} isSmall />
                  <span>{summary}</span>
                </a>
              </li>
            ))}
        </ul>
      </div>
    ))}
    <a href="#examples">Client examples</a>
  </nav>
);

interface RunTargetProps {
  readonly target: Target;
  readonly choose: (target: Target) => void;
  /** Undefined until it is known. */
  readonly hasServer: boolean | undefined;
  readonly base: string;
  readonly token: string;
  readonly setToken: (token: string) => void;
}

const TokenField = ({ token, setToken }: Pick<RunTargetProps, 'token' | 'setToken'>): ReactElement => (
  <label className={styles['token']}>
    <span>Token</span>
    <input
      type="password"
      autoComplete="off"
      value={token}
      onChange={({ currentTarget }) => setToken(currentTarget.value)}
    />
    <small>Required only if the server was started with --token. Kept until you close this page.</small>
  </label>
);

const TARGETS = { tab: 'This tab', server: 'This server' } as const satisfies Record<Target, string>;

/** Switch between the engine in the tab and the server, shown before any request is sent. */
const RunTarget = ({ target, choose, hasServer, base, ...token }: RunTargetProps): ReactElement => {
  const hints = {
    tab: 'This tab processes the requests. Nothing leaves it. Its tasks end when you close it.',
    server: `Requests and files go to ${base}.`,
  };
  const options = (['tab', 'server'] as const).filter((value) => value === 'tab' || hasServer);
  return (
    <section className={styles['panel']} data-testid="target">
      <Segments
        legend="Where requests run"
        options={options.map((value) => ({ value, name: TARGETS[value] }))}
        value={target}
        onChoose={choose}
      />
      <p aria-live="polite">
        {hints[target]}{' '}
        {hasServer === false &&
          'No server answers at the address of this page, so this tab processes the requests.'}
      </p>
      {target === 'server' && <TokenField {...token} />}
    </section>
  );
};

const OPTIONS = (Object.entries(LANGUAGES) as [Language, string][]).map(([value, name]) => ({ value, name }));

/** The same steps in each language; the text is `shared/api/clients.md`. */
const Examples = ({ base }: { readonly base: string }): ReactElement => {
  const [language, choose] = useState<Language>('sh');
  const block = (content: Block, key: number): ReactElement | null => {
    if (content.kind === 'paragraph') {
      return (
        <p key={key}>
          <InlineText content={content.content} />
        </p>
      );
    }
    if (content.language !== language) return null;
    return <CodeBlock key={key} title={LANGUAGES[language]} text={withServiceUrl(content.text, base)} />;
  };
  return (
    <section id="examples" className={styles['examples']} data-testid="examples">
      <h2>Client examples</h2>
      <Segments legend="Language" options={OPTIONS} value={language} onChoose={choose} />
      {sections.map(({ title, blocks }) => (
        <section key={title}>
          <h3>{title}</h3>
          {blocks.map(block)}
        </section>
      ))}
    </section>
  );
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
  const [hasServer, setHasServer] = useState<boolean>();
  useEffect(() => void findServer().then(setHasServer), [findServer]);
  // The tab is the default, so that no image leaves by accident.
  const [target, setTarget] = useState<Target>('tab');
  const [token, setToken] = useState('');
  const [taskId, keepTaskId] = useState('');
  const base = hasServer ? location.origin : WRITTEN_BASE;
  const tryIt = { send: send[target], token: target === 'server' ? token : '', base, taskId, keepTaskId };
  const choose = (chosen: Target): void => {
    setTarget(chosen);
    keepTaskId(''); // the server does not know the tasks of the tab, and vice versa
  };
  return (
    <>
      <Top />
      <div className={styles['columns']}>
        <Navigation tags={description.tags} operations={operations} />
        <main id="reference" className={styles['main']} tabIndex={-1}>
          <h1>API reference</h1>
          <p className={styles['lead']}>{description.info.description}</p>
          <RunTarget {...{ target, choose, hasServer, base, token, setToken }} />
          {description.tags.map(({ name, description: about }) => (
            <section key={`${name} ${target}`} className={groups['group']} aria-labelledby={`tag-${name}`}>
              <header>
                <h2 id={`tag-${name}`}>{name}</h2>
                <p>{about}</p>
              </header>
              {operations
                .filter(({ tag }) => tag === name)
                .map((operation) => (
                  <OperationCard key={operation.id} operation={operation} tryIt={tryIt} />
                ))}
            </section>
          ))}
          <Examples base={base} />
        </main>
      </div>
    </>
  );
};
