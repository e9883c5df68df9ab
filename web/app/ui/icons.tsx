import type { ReactElement } from 'react';

const PATHS = {
  add: 'M10 4v12M4 10h12',
  camera:
    'M3.500 6.500h3l1.200-2h4.600l1.200 2h3v9h-13zM10 13.500a2.700 2.700 0 100-5.400 2.700 2.700 0 000 5.400z',
  close: 'M5 5l10 10M15 5L5 15',
  download: 'M10 3v9m0 0l-3.5-3.5M10 12l3.5-3.5M4 16.5h12',
  trash:
    'M4 5.5h12M8 5.5V4h4v1.5M5.5 5.5l.7 10.2c0 .5.4.8.8.8h6c.4 0 .8-.3.8-.8l.7-10.2M8.5 9v4.5M11.5 9v4.5',
  eye: 'M2.5 10S5.2 5 10 5s7.5 5 7.5 5-2.7 5-7.5 5-7.5-5-7.5-5zM10 12.2a2.2 2.2 0 100-4.4 2.2 2.2 0 000 4.4z',
  boxes:
    'M3.5 6.500V4.500a1 1 0 011-1h2M13.500 3.500h2a1 1 0 011 1v2M16.500 13.500v2a1 1 0 01-1 1h-2M6.500 16.500h-2a1 1 0 01-1-1v-2M7.500 7.500h5v5h-5z',
  left: 'M12 4.500L6.500 10l5.500 5.500',
  right: 'M8 4.500L13.500 10 8 15.500',
  minus: 'M4.500 10h11',
  fit: 'M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4',
  sun: 'M10 13a3 3 0 100-6 3 3 0 000 6zM10 2.500v1.500M10 16v1.500M2.500 10H4M16 10h1.500M4.700 4.700l1 1M14.300 14.300l1 1M4.700 15.300l1-1M14.300 5.700l1-1',
  moon: 'M16 11.500A6.500 6.500 0 018.500 4a6.500 6.500 0 107.500 7.500z',
  auto: 'M10 16.500a6.500 6.500 0 100-13 6.500 6.500 0 000 13zM10 3.500v13',
  lock: 'M5.500 9h9v7h-9zM7.500 9V6.500a2.500 2.500 0 015 0V9',
  warning: 'M10 3.500l7 12.500H3zM10 8.500v3.500M10 14v.2',
  check: 'M4.500 10.500l3.500 3.500 7.500-8',
  help: 'M10 17.500a7.500 7.500 0 100-15 7.500 7.500 0 000 15zM7.800 8a2.200 2.200 0 114 1.300c-.7.6-1.800 1-1.800 2.200M10 14v.2',
  play: 'M6.500 4l9 6-9 6z',
  drawBox: 'M4 4h9v9H4zM16 12v5M13.500 14.500h5',
  pause: 'M7 4.500v11M13 4.500v11',
  pencil: 'M13.500 4l2.500 2.500L7.500 15 4 16l1-3.500z',
  pointer: 'M5.500 3.500l9.500 6-4.300 1.200-2.200 4.300z',
  rectangle: 'M3.500 5.500h13v9h-13z',
  ellipse: 'M10 15c3.600 0 6.500-2.200 6.500-5S13.600 5 10 5s-6.500 2.200-6.500 5 2.900 5 6.500 5z',
  brush:
    'M16.500 3.500c-4 2-7 4.500-8 7l1.500 1.500c2.500-1 5-4 6.500-8.500zM7.500 11.500c-2 0-3 1.300-3 2.800 0 1-.5 1.700-1.500 2.200 3.500.5 6-.5 6-3.500z',
  keep: 'M10 3l6 2v4.500c0 3.500-2.500 6-6 7.500-3.500-1.500-6-4-6-7.500V5zM7.500 10l2 2 3.500-4',
  undo: 'M7.500 4.500L4 8l3.500 3.500M4 8h7.500a4 4 0 010 8H8',
  redo: 'M12.500 4.500L16 8l-3.500 3.500M16 8H8.500a4 4 0 000 8H12',
  grid: 'M3.500 3.500h5v5h-5zM11.500 3.500h5v5h-5zM3.500 11.500h5v5h-5zM11.500 11.500h5v5h-5z',
  one: 'M3.500 4.500h13v11h-13zM3.500 13l4-4 3.500 3.500 2-2 3.500 3.500',
  range: 'M4 5v10M16 5v10M6.500 10h7M8.500 7.500L6 10l2.500 2.500M11.500 7.500L14 10l-2.500 2.500',
  drag: 'M7.500 6.500L4 10l3.500 3.500M12.500 6.500L16 10l-3.500 3.500',
} as const;
export type IconName = keyof typeof PATHS;

/** A drawing beside words, or on a button that has a name: hidden from screen readers. */
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
    viewBox="0 0 20 20"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={PATHS[name]} />
  </svg>
);

export const Logo = (): ReactElement => (
  <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <circle cx="16" cy="16" r="12" fill="var(--accent)" />
    <rect x="1" y="11.500" width="30" height="7.500" rx="2" fill="var(--text)" />
  </svg>
);
