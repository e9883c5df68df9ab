import { useState, type ReactElement } from 'react';
import { Button } from '../app/ui/button';
import styles from './code-block.module.css';
import { messages } from './messages';

const CopyButton = ({ text }: { readonly text: string }): ReactElement => {
  const [label, setLabel] = useState<string>(messages.copy);
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(
      () => setLabel(messages.copied),
      () => setLabel(messages.copyFailed),
    );
  return (
    <Button variant="quiet" className={styles['copy']} onClick={copy} onBlur={() => setLabel(messages.copy)}>
      <span aria-live="polite">{label}</span>
    </Button>
  );
};

/** Text for a terminal or an editor. It scrolls, so it can be focused. */
export const CodeBlock = ({
  title,
  text,
}: {
  readonly title: string;
  readonly text: string;
}): ReactElement => (
  <section className={styles['block']} aria-label={title}>
    <header>
      <span>{title}</span>
      <CopyButton text={text} />
    </header>
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
  </section>
);
