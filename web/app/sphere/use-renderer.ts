import { useEffect, useRef, useState, type RefObject } from 'react';
import { createSphereRenderer, type SphereRenderer } from './sphere-renderer';

/** What draws on a canvas while it is there; `hasFailed` where this browser cannot. */
export const useRenderer = (canvas: RefObject<HTMLCanvasElement | null>) => {
  const renderer = useRef<SphereRenderer | undefined>(undefined);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (!canvas.current) return undefined;
    const made = createSphereRenderer(canvas.current);
    renderer.current = made;
    setFailed(!made);
    return () => made?.release();
  }, [canvas]);
  return { renderer, hasFailed };
};
