import { Fragment, useState, type ReactElement } from 'react';
import { Button } from '../app/ui/button';
import styles from './page.module.css';
import type { Inline } from './sections';

const piece = (inline: Inline): ReactElement | string => {
  if (inline.kind === 'code') return <code>{inline.text}</code>;
  return inline.kind === 'link' ? <a href={inline.href}>{inline.text}</a> : inline.text;
};

/** Content of a paragraph. */
export const InlineText = ({ content }: { readonly content: readonly Inline[] }): ReactElement => (
  <>
    {content.map((inline, i) => (
      <Fragment key={i}>{piece(inline)}</Fragment>
    ))}
  </>
);

/** A description of the API: plain text, with code between backticks. */
export const DescriptionText = ({ text }: { readonly text: string }): ReactElement => (
  <InlineText
    content={text.split('`').map((part, i) => ({ kind: i % 2 === 1 ? 'code' : 'text', text: part }))}
  />
);

const CopyButton = ({ text }: { readonly text: string }): ReactElement => {
  const [label, setLabel] = useState('Copy');
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(
      () => setLabel('Copied'),
      () => setLabel('Copying failed. Select the text instead.'),
    );
  return (
    <Button variant="quiet" className={styles['copy']} onClick={copy} onBlur={() => setLabel('Copy')}>
      <span aria-live="polite">{label}</span>
    </Button>
  );
};

interface CodeBlockProps {
  readonly title: string;
  readonly text: string;
}

/** Text for a terminal or an editor. It scrolls, so it can be focused. */
export const CodeBlock = ({ title, text }: CodeBlockProps): ReactElement => (
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

/** An HTTP method as a coloured label. */
export const Method = ({
  name,
  isSmall,
}: {
  readonly name: string;
  readonly isSmall?: true;
}): ReactElement => (
  <span className={`${styles['method']} ${styles[name] ?? ''} ${isSmall ? styles['small'] : ''}`}>
    {name}
  </span>
);
