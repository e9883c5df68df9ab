/** A piece of a paragraph. */
export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string };

export type Block =
  | { readonly kind: 'paragraph'; readonly content: readonly Inline[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string };

/** From one second-level heading to the next. */
export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

const INLINE = /`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)/g;

export const parseInline = (text: string): Inline[] => {
  const pieces: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, label, href] = match;
    if (match.index > end) pieces.push({ kind: 'text', text: text.slice(end, match.index) });
    if (code !== undefined) pieces.push({ kind: 'code', text: code });
    else pieces.push({ kind: 'link', text: label ?? '', href: href ?? '' });
    end = match.index + whole.length;
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) });
  return pieces;
};

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;

const paragraphs = (text: string): Block[] =>
  text
    .split(/\n{2,}/)
    .map((part) => part.trim().replaceAll('\n', ' '))
    .filter((part) => part !== '')
    .map((part) => ({ kind: 'paragraph', content: parseInline(part) }));

const blocksOf = (text: string): Block[] => {
  const blocks: Block[] = [];
  let end = 0;
  for (const match of text.matchAll(FENCE)) {
    const [whole, language = '', code = ''] = match;
    blocks.push(...paragraphs(text.slice(end, match.index)), {
      kind: 'code',
      language,
      text: code.trimEnd(),
    });
    end = match.index + whole.length;
  }
  return [...blocks, ...paragraphs(text.slice(end))];
};

/** Fences of code may hold lines that look like headings; they are set aside before the text is cut. */
const splitSections = (markdown: string): string[] => {
  const lines = markdown.split('\n');
  const parts: string[][] = [[]];
  let isCode = false;
  for (const line of lines) {
    if (line.startsWith('```')) isCode = !isCode;
    if (!isCode && line.startsWith('## ')) parts.push([]);
    parts.at(-1)?.push(line);
  }
  return parts.slice(1).map((part) => part.join('\n'));
};

/** The Markdown that `shared/api/clients.md` is written in: headings, paragraphs, fenced code, inline code, links. */
export const parseSections = (markdown: string): Section[] =>
  splitSections(markdown).map((part) => {
    const [heading = '', ...rest] = part.split('\n');
    return { title: heading.slice(3).trim(), blocks: blocksOf(rest.join('\n')) };
  });
