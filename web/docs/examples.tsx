import { useState, type ReactElement } from 'react';
import { Segments } from '../app/ui/inputs';
import sections from '../../shared/api/clients.md?sections';
import { CodeBlock } from './code-block';
import { filledIn, LANGUAGES, type Language } from './example-text';
import styles from './examples.module.css';
import { InlineText } from './inline-text';
import { messages } from './messages';
import type { Block } from './sections';
import { useTryIt } from './services';

const OPTIONS = (Object.entries(LANGUAGES) as [Language, string][]).map(([value, name]) => ({ value, name }));

/** The same steps in each language; the text is `shared/api/clients.md`. */
export const Examples = (): ReactElement => {
  const { base } = useTryIt();
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
    return <CodeBlock key={key} title={LANGUAGES[language]} text={filledIn(content.text, base)} />;
  };
  return (
    <section id="examples" className={styles['examples']} data-testid="examples">
      <h2>{messages.examples.title}</h2>
      <Segments legend={messages.examples.language} options={OPTIONS} value={language} onChoose={choose} />
      {sections.map(({ title, blocks }) => (
        <section key={title}>
          <h3>{title}</h3>
          {blocks.map(block)}
        </section>
      ))}
    </section>
  );
};
