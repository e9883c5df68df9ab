import { useEffect, useRef, useState, type RefObject } from 'react';
import { createSphereRenderer, type SphereRenderer } from './sphere-renderer';

/**
 * What draws on a canvas while it is there; `hasFailed` where this browser cannot.
 *
 * `context` changes when the graphics processor has lost everything and works again, as after sleep or an update of its
 * driver: the renderer is then another one, and shows nothing yet.
 */
export const useRenderer = (canvas: RefObject<HTMLCanvasElement | null>) => {
  const renderer = useRef<SphereRenderer | undefined>(undefined);
  const [hasFailed, setFailed] = useState(false);
  const [context, setContext] = useState(0);
  useEffect(() => {
    const { current } = canvas;
    if (!current) return undefined;
    const made = createSphereRenderer(current);
    renderer.current = made;
    setFailed(!made);
    const controller = new AbortController();
    const { signal } = controller;
    // Otherwise it is never restored.
    current.addEventListener('webglcontextlost', (event) => event.preventDefault(), { signal });
    current.addEventListener('webglcontextrestored', () => setContext((count) => count + 1), { signal });
    return () => {
      controller.abort();
      made?.release();
    };
  }, [canvas, context]);
  return { renderer, hasFailed, context };
};
