import { useEffect, useMemo, useState } from 'react';
import { hasUnappliedEdits, type MediaItem } from '../../state/media-item';
import { beforeDecision, decide, type Decided, type Decision } from '../../state/uncertain/decide';
import { rankUncertain } from '../../state/uncertain/list-uncertain';
import { hasUnrecordedDecisions } from '../../state/uncertain/record-decisions';
import type { UncertainObject } from '../../state/uncertain/uncertain-object';
import { useAppState, useServices } from '../services';
import { createCropCache, type CropCache, type ObjectCrops } from '../../state/uncertain/crop-cache';
import { createCropSource } from '../../state/uncertain/crop-source';

/** The crops of the object at this place of the list, as they become ready. */
export const useCrops = (objects: readonly UncertainObject[], at: number): ObjectCrops => {
  const { store, displayable } = useServices();
  const [cache, setCache] = useState<CropCache>();
  const [, setReady] = useState(0);
  useEffect(() => {
    const created = createCropCache(
      createCropSource(displayable),
      (id) => store.get().items.find((item) => item.id === id),
      () => setReady((count) => count + 1),
    );
    setCache(created);
    return () => created.close();
  }, [store, displayable]);
  useEffect(() => cache?.show(objects, at), [cache, objects, at]);
  const current = objects[at];
  return current && cache ? cache.of(current) : { main: undefined, neighbours: [] };
};

interface Made {
  readonly decision: Decision;
  /** The file's state, to which going back returns. */
  readonly before: Decided;
}

const haveEditsFailed = (item: MediaItem): boolean =>
  item.revision === 'failed' && (item.status === 'failed' || hasUnappliedEdits(item));

const hasFailed = (item: MediaItem): boolean => haveEditsFailed(item) || hasUnrecordedDecisions(item);

/** Files with failed edits, among those of the list. */
const useFailures = (objects: readonly UncertainObject[]) => {
  const { store } = useServices();
  const files = useMemo(() => new Set(objects.map(({ fileId }) => fileId)), [objects]);
  const failed = useAppState().items.filter((item) => files.has(item.id) && hasFailed(item));
  return {
    /** Number of files whose edits could not be applied. */
    failedCount: failed.filter(haveEditsFailed).length,
    /** Number of files whose decisions are not in their reports. */
    unrecordedCount: failed.filter(hasUnrecordedDecisions).length,
    retry: (): void => {
      for (const item of failed) {
        const { id, status } = item;
        store.send({ type: 'decisions-retried', id });
        if (!haveEditsFailed(item)) continue;
        if (status === 'failed') store.send({ type: 'retried', id });
        // An edited video keeps its result: its edits wait again, and their wait ends.
        else store.send({ type: 'decided', id, after: beforeDecision(item) });
      }
      store.send({ type: 'decisions-ended', ids: new Set(failed.map(({ id }) => id)) });
    },
  };
};

/** Applies the edits of files that are not in the rest of the list, and of all files at the end. */
const useRelease = (objects: readonly UncertainObject[], at: number): void => {
  const { store } = useServices();
  useEffect(() => {
    const coming = new Set(objects.slice(at).map(({ fileId }) => fileId));
    const ended = [...store.get().held].filter((id) => !coming.has(id));
    if (ended.length > 0) store.send({ type: 'decisions-ended', ids: new Set(ended) });
  }, [objects, at, store]);
  useEffect(() => () => store.send({ type: 'decisions-ended', ids: store.get().held }), [store]);
};

/** Decides about uncertain objects one after another. The list is made once, so that no object moves in it. */
export const useDecisions = () => {
  const { store } = useServices();
  const [objects] = useState(() => rankUncertain(store.get().items));
  /** Index of the object in view; the number of objects at the end of the list. */
  const [at, setAt] = useState(0);
  const [made, setMade] = useState<ReadonlyMap<number, Made>>(new Map());
  const current = objects[at];
  useRelease(objects, at);
  const find = (id: string): MediaItem | undefined => store.get().items.find((one) => one.id === id);
  const skip = (): void => setAt(Math.min(objects.length, at + 1));
  return {
    ...{ objects, at, current, skip },
    ...useFailures(objects),
    /** About the object in view. */
    decision: made.get(at)?.decision,
    decidedCount: made.size,
    decide: (decision: Decision): void => {
      const item = current && find(current.fileId);
      if (!item) return;
      setMade(new Map([...made, [at, { decision, before: beforeDecision(item) }]]));
      store.send({ type: 'decided', id: item.id, after: decide(item, current, decision) });
      skip();
    },
    /** Returns to the object before, and takes its decision back. */
    back: (): void => {
      const index = Math.max(0, at - 1);
      const { [index]: object } = objects;
      const taken = made.get(index);
      if (object && taken) store.send({ type: 'decided', id: object.fileId, after: taken.before });
      setMade(new Map([...made].filter(([other]) => other !== index)));
      setAt(index);
    },
  };
};
export type Decisions = ReturnType<typeof useDecisions>;
