import { Fragment, type ReactElement } from 'react';
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
