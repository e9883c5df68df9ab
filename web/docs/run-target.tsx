import type { ReactElement } from 'react';
import { Segments } from '../app/ui/inputs';
import { messages } from './messages';
import styles from './run-target.module.css';
import type { Target } from './services';

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
    <span>{messages.target.token}</span>
    <input
      type="password"
      autoComplete="off"
      value={token}
      onChange={({ currentTarget }) => setToken(currentTarget.value)}
    />
    <small>{messages.target.tokenHint}</small>
  </label>
);

/** Switch between the engine in the tab and the server, shown before any request is sent. */
export const RunTarget = ({ target, choose, hasServer, base, ...token }: RunTargetProps): ReactElement => {
  const hints = { tab: messages.target.tabHint, server: messages.target.serverHint(base) };
  const options = (['tab', 'server'] as const).filter((value) => value === 'tab' || hasServer);
  return (
    <section className={styles['panel']} data-testid="target">
      <Segments
        legend={messages.target.legend}
        options={options.map((value) => ({ value, name: messages.target[value] }))}
        value={target}
        onChoose={choose}
      />
      <p aria-live="polite">
        {hints[target]} {hasServer === false && messages.target.noServer}
      </p>
      {target === 'server' && <TokenField {...token} />}
    </section>
  );
};
