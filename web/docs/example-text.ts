/** Languages of the examples, as the fences of `shared/api/clients.md` name them. */
export const LANGUAGES = { sh: 'curl', python: 'Python', js: 'JavaScript' } as const;
export type Language = keyof typeof LANGUAGES;

/** The address in the written examples. */
export const WRITTEN_BASE = 'http://localhost:7000';

/** @param base URL of the current service, without a trailing slash */
export const filledIn = (text: string, base: string): string => text.replaceAll(WRITTEN_BASE, base);
