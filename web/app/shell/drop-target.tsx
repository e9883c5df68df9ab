import { useEffect, useRef, useState, type ReactElement } from 'react';
import { addFiles, droppedFiles, earlyFiles } from '../../state/add-files';
import { useMessages } from '../messages';
import { useServices } from '../services';
import styles from './shell.module.css';

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Adds files that are dropped anywhere on the page or pasted, and shows an overlay while files are dragged over it. */
export const DropTarget = (): ReactElement => {
  const messages = useMessages();
  const { store } = useServices();
  const [isOver, setIsOver] = useState(false);
  // The browser sends enter and leave events for each element, so the pointer has left the page at depth 0.
  const depth = useRef(0);

  useEffect(() => {
    const hover =
      (by: 1 | -1) =>
      (event: DragEvent): void => {
        if (!carriesFiles(event)) return;
        depth.current = Math.max(0, depth.current + by);
        setIsOver(depth.current > 0);
      };
    const add = (dropped: Promise<readonly File[]>): void =>
      void dropped.then((files) => addFiles(store, files));
    const controller = new AbortController();
    const { signal } = controller;
    window.addEventListener('dragenter', hover(1), { signal });
    window.addEventListener('dragleave', hover(-1), { signal });
    window.addEventListener('dragover', (event) => carriesFiles(event) && event.preventDefault(), { signal });
    window.addEventListener(
      'drop',
      (event) => {
        if (!event.dataTransfer || !carriesFiles(event)) return;
        const isTaken = event.defaultPrevented;
        event.preventDefault();
        depth.current = 0;
        setIsOver(false);
        if (isTaken) return; // by an area with its own file types
        add(droppedFiles(event.dataTransfer));
      },
      { signal },
    );
    window.addEventListener(
      'paste',
      ({ clipboardData }) => clipboardData && add(droppedFiles(clipboardData)),
      { signal },
    );
    add(earlyFiles());
    return () => controller.abort();
  }, [store]);

  return (
    <div className={`centred ${styles['overlay']}`} data-open={isOver} aria-hidden="true">
      <p>{messages.drop}</p>
    </div>
  );
};
