import type { ReactElement } from 'react';
import drawings from './lucide/drawings.json';

/** By what they stand for. */
export type IconName = keyof typeof drawings;

/** A drawing next to words, or on a button that has a name: hidden from screen readers. */
export const Icon = ({
  name,
  size = 20,
}: {
  readonly name: IconName;
  readonly size?: number;
}): ReactElement => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    {drawings[name].map((path) => (
      <path key={path} d={path} />
    ))}
  </svg>
);

export const Logo = (): ReactElement => (
  <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <circle cx="16" cy="16" r="12" fill="var(--accent)" />
    <rect x="1" y="11.500" width="30" height="7.500" rx="2" fill="var(--text)" />
  </svg>
);
