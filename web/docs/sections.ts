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
