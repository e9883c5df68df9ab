import { Fragment, type ReactElement } from 'react';
import type { Inline } from './parse-markdown';

const piece = (inline: Inline): ReactElement | string => {
  if (inline.kind === 'code') return <code>{inline.text}</code>;
  return inline.kind === 'link' ? <a href={inline.href}>{inline.text}</a> : inline.text;
};

/** A paragraph's content. */
export const InlineText = ({ content }: { readonly content: readonly Inline[] }): ReactElement => (
  <>
    {content.map((inline, i) => (
      <Fragment key={i}>{piece(inline)}</Fragment>
    ))}
  </>
);
