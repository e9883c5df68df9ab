import { useEffect, useState } from 'react';
import { createCropCache, type CropCache, type ObjectCrops } from '../../state/uncertain/crop-cache';
import { createCropSource } from '../../state/uncertain/crop-source';
import type { UncertainObject } from '../../state/uncertain/uncertain-object';
import { useServices } from '../services';

/** The crops of the object at this place of the list, as they become ready. */
export const useCrops = (objects: readonly UncertainObject[], at: number): ObjectCrops => {
  const { store, displayable } = useServices();
  const [cache, setCache] = useState<CropCache>();
  const [, setReady] = useState(0);
  useEffect(() => {
    const created = createCropCache(
      createCropSource(displayable),
      (id) => store.get().pictures.find((picture) => picture.id === id),
      () => setReady((count) => count + 1),
    );
    setCache(created);
    return () => created.close();
  }, [store, displayable]);
  useEffect(() => cache?.show(objects, at), [cache, objects, at]);
  const current = objects[at];
  return current && cache ? cache.of(current) : { main: undefined, neighbours: [] };
};
