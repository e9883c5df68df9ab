/** Languages of the examples, as the fences of `shared/api/clients.md` name them. */
export const LANGUAGES = { sh: 'curl', python: 'Python', js: 'JavaScript' } as const;
export type Language = keyof typeof LANGUAGES;

/** The address in the written examples. */
export const WRITTEN_BASE = 'http://localhost:7000';

/** @param base URL of the current service, without a trailing slash */
export const withServiceUrl = (text: string, base: string): string => text.replaceAll(WRITTEN_BASE, base);

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
