import { useEffect, type KeyboardEvent as ElementKeyboardEvent } from 'react';

/** Listens to keys wherever the focus is. @param press null: no key does anything now */
export const useKeys = (press: ((event: KeyboardEvent) => void) | null): void => {
  useEffect(() => {
    if (!press) return undefined;
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [press]);
};

export const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null;

/** With Ctrl, Alt or the command key, a key belongs to the browser. */
export const hasModifier = ({
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>): boolean => ctrlKey || metaKey || altKey;

/** Whether the key was pressed on the element itself, not on one in it. */
const isOnItself = ({ target, currentTarget }: ElementKeyboardEvent): boolean => target === currentTarget;

/** What keys do, by their names. */
export type Keys = Readonly<Record<string, (() => void) | undefined>>;

/** Acts on keys without modifiers. Single letters must not act outside of their element (WCAG 2.1.4). */
export const keyHandler =
  (actions: Keys, isOwn = isOnItself) =>
  (event: ElementKeyboardEvent): void => {
    const act = actions[event.key];
    if (!act || !isOwn(event) || hasModifier(event)) return;
    event.preventDefault();
    act();
  };
