import type { KeyboardEvent } from 'react';
import type { Decisions } from './use-decisions';

/** One key for each decision. They act while the image has the focus (WCAG 2.1.4). */
export const decisionKeys = ({ decide, skip, back }: Decisions) => {
  const actions: Readonly<Record<string, () => void>> = {
    h: () => decide('hide'),
    Enter: () => decide('hide'),
    s: () => decide('show'),
    ' ': skip,
    ArrowRight: skip,
    ArrowLeft: back,
    u: back,
  };
  return (event: KeyboardEvent): void => {
    // Arrow keys would select another file behind the dialog.
    if (event.key.startsWith('Arrow')) event.stopPropagation();
    const act = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const isOwn = event.target === event.currentTarget;
    if (!act || !isOwn || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    // A held key must not decide about objects that nobody has seen.
    if (!event.repeat) act();
  };
};
